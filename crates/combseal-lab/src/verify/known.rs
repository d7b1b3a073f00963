// The known answers: one test with associated data and a partial block from each file of
// known answers, which name their sources (several independent implementations each).

use super::Known;
use crate::subject::Scheme;

pub(super) const KNOWN: [Known; 11] = [
    // ocb3_aes128_tag128, test 39
    Known {
        scheme: Scheme::Ocb3,
        key: "4d21a530c75904a0362672208455cd41",
        nonce: "23c7d47fe427de4410e3258f",
        ad: "36b5effd845de730154c37aa45b44822bc2a6f9818afe51cdcd028aa9edc0792",
        msg: "a9e2e630810440bc978825dac44f1f963c566e36cba0c14eedfac0bff9d26e152b7790f82922",
        ct: "845a1d0c54b36daf951d313bb94ec33d591e752430e3c38e739c762af9f264392d14b19587df",
        tag: "96ebfaa5289776721b362fe92dc3a01d",
    },
    // ocb3_aes192_tag128, test 39
    Known {
        scheme: Scheme::Ocb3,
        key: "235171e426cdc67d1f411cd596445159307f3f618bf7b9dd",
        nonce: "ba4592ffb095f3ef27fe2b97",
        ad: "72b8b73b59bfce706dd083ae2e83e39ab164484caae6cfe8f1430237d745e147",
        msg: "155b6d4c943f93dea953118aec1864d230c83759f0146543bab614e51ea5933d716cbf85ac6c",
        ct: "c0b8de5db3e262b1e38bdf6bc6ed269e24c18bcf243d99aeadeeb400aa1fea4d5d43a6fbe5db",
        tag: "19bc9a36d87e31dd45b3112cc3e761d8",
    },
    // ocb3_aes256_tag128, test 39
    Known {
        scheme: Scheme::Ocb3,
        key: "267180861f50f98da0330184b861e3b4d0cef51da3a7c64b968afec18b553be5",
        nonce: "18250f3143ba006266f78534",
        ad: "d5e6a51bf787bdee56c3e9b939ffd2a2e156b0dcdbb96c595d1d9d88ead486d4",
        msg: "3f4efeb437e1c57216ff347ec26d2dc3215fe2554c0c2c9537cfda49dfbba85361b88a32318f",
        ct: "885676e71310cc40092a772ca9b4b681d66dd8b726356f2f0a0b4e68c465d6f1532170f4cb30",
        tag: "9986acab05fe871f4f27ee367f77439a",
    },
    // gcm_aes128, test 35
    Known {
        scheme: Scheme::Gcm,
        key: "7e87a10b4ccc47840913142e21fae3bd",
        nonce: "09987775d70d1b2a4092b982",
        ad: "33003e50425d0f7a36a78ca7d388c1a0",
        msg: "eb9d7f678536ed6a07e02f721e65f56fcb88a2a7c0c932d29ec3bf8204525c6bc9f5",
        ct: "d14a8eae4debf02b7b58c7b9338d7935e409cc73359020fc4b19f7afb552c5b83018",
        tag: "297325c17b5a8d748c9eabf1d62ffe00",
    },
    // gcm_aes192, test 35
    Known {
        scheme: Scheme::Gcm,
        key: "569324ce262e8e7b8bba28e7029828f4a63bc5c7c01a35ee",
        nonce: "3475e9612d122a748b1eea5a",
        ad: "439dc4e195a25769ea51b52acd78fc5a",
        msg: "ffa29bf1849965cb5f76b84d0ec71af83a450b47c4bc380b84f2c1ca3b60ca33fd68",
        ct: "dc1dcc8683cb53d0f37baf76059b360b63af9bcbe1c80e180920d0a5b75989a77a99",
        tag: "9ab9793b83fd603c85a6a244bb700a1f",
    },
    // gcm_aes256, test 35
    Known {
        scheme: Scheme::Gcm,
        key: "bcc3adfed129d9eaebdbe89d3bf554fbff6df006a458c7ce17a5759627e4e034",
        nonce: "6994a2351b66b2c44695448f",
        ad: "aa87b78e730adc3a009660e16320dc56",
        msg: "fbbe9273396ed035b5e9a8db8c92656d464b0291e35b246fab52a1b492c1555230f0",
        ct: "f9f4c747130a54e1c113f02ea3504e40572c69189d86fd33e1f5360938281246a1e8",
        tag: "a61da4098e0e5b7e7784cdba40dc31d3",
    },
    // ccm_aes128_tag128_nonce12, test 34
    Known {
        scheme: Scheme::Ccm,
        key: "ab44a57f144e065fcc4d95c413cb3683",
        nonce: "3b72c7252c5cef27702813bf",
        ad: "d3",
        msg: "231099b282afe49645dab81446e3b8fcf3e8d14fc5d87864cfccb50c15edd7fd16",
        ct: "9cee87154246bf5073fccb820e1bdabb5fb21f97d4515848698bbb485bcd671de3",
        tag: "6fc93df1a92fb45b51927aff3bd55ebe",
    },
    // ccm_aes256_tag128_nonce12, test 34
    Known {
        scheme: Scheme::Ccm,
        key: "f4acda5e36635ae91cea6ee9fda83b1b3d16880ba39844ee4f5a348e216f553d",
        nonce: "7d74865baf1342c5f7faf29f",
        ad: "22",
        msg: "49e4ba7c76f1a7a97a126c12e2eff1e2f1d438ea0a2107ffc53c7fc80d635b9999",
        ct: "0544ea302a99462518cf0c41a8266c8fb8c20bb0ca7a2beb199c016294846a179b",
        tag: "aff972cea77e40ded141424720db007b",
    },
    // aegis128l, test 34
    Known {
        scheme: Scheme::Aegis128L,
        key: "fddb3f13af9184b92827b7e357e4bd21",
        nonce: "e7f66830d5dfc2a053f4544e9d487098",
        ad: "c7",
        msg: "e5d4d2d8c66425b58de4cdf4192b004aeefc86235b08a200df42ca0e9a4d73de42",
        ct: "9cf90b77e99b90217f804739309c39c63a15505c6c3ddd72f90893a0664da23e2c",
        tag: "1756dc890d91727c0640623947e407b7",
    },
    // gcm_siv_aes128, test 34
    Known {
        scheme: Scheme::GcmSiv,
        key: "36feafef5131e08a5590eaaa114e06b2",
        nonce: "162d85b8e040e3dd41ae8a4d",
        ad: "02",
        msg: "1edcda026b7f94a819cec26e3e67e42372c1152d6e139c77287dfa808deba31465",
        ct: "0eed932ccf7addca733fa10aa4ee41f19663663c9a7c2d48baef14d18fff72b5bc",
        tag: "163b21406585a1aef616da4d208edc7b",
    },
    // gcm_siv_aes256, test 34
    Known {
        scheme: Scheme::GcmSiv,
        key: "ea648491fe99772a9fff728e1ad81c142d2820c4b68ee9bf87fd485b90afdca2",
        nonce: "0d840b71d27b8c414fe40042",
        ad: "43",
        msg: "47ad923618774cfad090663770c9b8ddb59ea7eefcac13f2486e8cc7017eab90a8",
        ct: "644b366523a1c33741dba69e8612be769459269013000ac28ac9a6ebdb58adf03c",
        tag: "d5c2f3dca3e4f4628113ff580eca2e7e",
    },
];

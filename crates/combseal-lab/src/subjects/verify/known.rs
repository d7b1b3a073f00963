//! The known answers against which implementations are checked: one test with associated data and a
//! partial block from each file of known answers. Those files name their sources, several independent
//! implementations each.

/// One known answer, in hexadecimal.
pub(super) struct Known {
    /// The family of the scheme; the length of the key says which of them.
    pub(super) family: &'static str,
    pub(super) key: &'static str,
    pub(super) nonce: &'static str,
    pub(super) ad: &'static str,
    pub(super) msg: &'static str,
    pub(super) ct: &'static str,
    /// What sealing adds: the tag, and what else does not fit in the message's place.
    pub(super) tag: &'static str,
}

pub(super) const KNOWN: [Known; 26] = [
    // ocb3_aes128_tag128, test 39
    Known {
        family: "ocb3",
        key: "4d21a530c75904a0362672208455cd41",
        nonce: "23c7d47fe427de4410e3258f",
        ad: "36b5effd845de730154c37aa45b44822bc2a6f9818afe51cdcd028aa9edc0792",
        msg: "a9e2e630810440bc978825dac44f1f963c566e36cba0c14eedfac0bff9d26e152b7790f82922",
        ct: "845a1d0c54b36daf951d313bb94ec33d591e752430e3c38e739c762af9f264392d14b19587df",
        tag: "96ebfaa5289776721b362fe92dc3a01d",
    },
    // ocb3_aes192_tag128, test 39
    Known {
        family: "ocb3",
        key: "235171e426cdc67d1f411cd596445159307f3f618bf7b9dd",
        nonce: "ba4592ffb095f3ef27fe2b97",
        ad: "72b8b73b59bfce706dd083ae2e83e39ab164484caae6cfe8f1430237d745e147",
        msg: "155b6d4c943f93dea953118aec1864d230c83759f0146543bab614e51ea5933d716cbf85ac6c",
        ct: "c0b8de5db3e262b1e38bdf6bc6ed269e24c18bcf243d99aeadeeb400aa1fea4d5d43a6fbe5db",
        tag: "19bc9a36d87e31dd45b3112cc3e761d8",
    },
    // ocb3_aes256_tag128, test 39
    Known {
        family: "ocb3",
        key: "267180861f50f98da0330184b861e3b4d0cef51da3a7c64b968afec18b553be5",
        nonce: "18250f3143ba006266f78534",
        ad: "d5e6a51bf787bdee56c3e9b939ffd2a2e156b0dcdbb96c595d1d9d88ead486d4",
        msg: "3f4efeb437e1c57216ff347ec26d2dc3215fe2554c0c2c9537cfda49dfbba85361b88a32318f",
        ct: "885676e71310cc40092a772ca9b4b681d66dd8b726356f2f0a0b4e68c465d6f1532170f4cb30",
        tag: "9986acab05fe871f4f27ee367f77439a",
    },
    // gcm_aes128, test 35
    Known {
        family: "gcm",
        key: "7e87a10b4ccc47840913142e21fae3bd",
        nonce: "09987775d70d1b2a4092b982",
        ad: "33003e50425d0f7a36a78ca7d388c1a0",
        msg: "eb9d7f678536ed6a07e02f721e65f56fcb88a2a7c0c932d29ec3bf8204525c6bc9f5",
        ct: "d14a8eae4debf02b7b58c7b9338d7935e409cc73359020fc4b19f7afb552c5b83018",
        tag: "297325c17b5a8d748c9eabf1d62ffe00",
    },
    // gcm_aes192, test 35
    Known {
        family: "gcm",
        key: "569324ce262e8e7b8bba28e7029828f4a63bc5c7c01a35ee",
        nonce: "3475e9612d122a748b1eea5a",
        ad: "439dc4e195a25769ea51b52acd78fc5a",
        msg: "ffa29bf1849965cb5f76b84d0ec71af83a450b47c4bc380b84f2c1ca3b60ca33fd68",
        ct: "dc1dcc8683cb53d0f37baf76059b360b63af9bcbe1c80e180920d0a5b75989a77a99",
        tag: "9ab9793b83fd603c85a6a244bb700a1f",
    },
    // gcm_aes256, test 35
    Known {
        family: "gcm",
        key: "bcc3adfed129d9eaebdbe89d3bf554fbff6df006a458c7ce17a5759627e4e034",
        nonce: "6994a2351b66b2c44695448f",
        ad: "aa87b78e730adc3a009660e16320dc56",
        msg: "fbbe9273396ed035b5e9a8db8c92656d464b0291e35b246fab52a1b492c1555230f0",
        ct: "f9f4c747130a54e1c113f02ea3504e40572c69189d86fd33e1f5360938281246a1e8",
        tag: "a61da4098e0e5b7e7784cdba40dc31d3",
    },
    // ccm_aes128_tag128_nonce12, test 34
    Known {
        family: "ccm",
        key: "ab44a57f144e065fcc4d95c413cb3683",
        nonce: "3b72c7252c5cef27702813bf",
        ad: "d3",
        msg: "231099b282afe49645dab81446e3b8fcf3e8d14fc5d87864cfccb50c15edd7fd16",
        ct: "9cee87154246bf5073fccb820e1bdabb5fb21f97d4515848698bbb485bcd671de3",
        tag: "6fc93df1a92fb45b51927aff3bd55ebe",
    },
    // ccm_aes256_tag128_nonce12, test 34
    Known {
        family: "ccm",
        key: "f4acda5e36635ae91cea6ee9fda83b1b3d16880ba39844ee4f5a348e216f553d",
        nonce: "7d74865baf1342c5f7faf29f",
        ad: "22",
        msg: "49e4ba7c76f1a7a97a126c12e2eff1e2f1d438ea0a2107ffc53c7fc80d635b9999",
        ct: "0544ea302a99462518cf0c41a8266c8fb8c20bb0ca7a2beb199c016294846a179b",
        tag: "aff972cea77e40ded141424720db007b",
    },
    // eax_aes128, test 37
    Known {
        family: "eax",
        key: "e559b05a789ac8ed6accab5d87ad3c04",
        nonce: "697ef7e93c95c0520b7c2d878db22ceb",
        ad: "66278dfaf375b64d7fac3853657c02",
        msg: "1a1a7c23c391c47b15e60dea646e91fde5e8d435d091f4f4135e79cc48c56ea06f3d8f46",
        ct: "281309dacf97475dfcbb7623cf99c2f5ee74e6fd2dffd3bc3924a25314e6b3c140d3161a",
        tag: "9fa106c9ac41095108e311e9fdea288e",
    },
    // eax_aes256, test 37
    Known {
        family: "eax",
        key: "c8cf831c01a8850abd46acca45ebf0838b1a5b8a733edeabdf15e9b06d14bcf7",
        nonce: "73eabc00511eccbeb963ebc1977a97de",
        ad: "5adb73f54124896a1226e5d2a6771a",
        msg: "afed2405d9d8a1a95438f2f9b7e2d6b8bfe93e39349b4236bc00935fdf27853fccfe77c8",
        ct: "03470486cb317032cc6a147fc3c38e770ff13c4a8031ebff7cc7eaf4e533aca3931b41f7",
        tag: "249fed612561fe3dba5a500f7815ec5d",
    },
    // siv_cmac_256, test 37
    Known {
        family: "siv",
        key: "3377e584987ac2003839c824aab635ccf93efab0f0441e1f9e2947783bb17d19",
        nonce: "3c532d2b997a54b3974287bf80f4991a",
        ad: "d7db0b77bf4738086ff5fdb7b0e041",
        msg: "51e9fffbee7448a8b4f3c441d339c4e8a230688822922d273600f73a41abc943d926333d",
        ct: "1c7301b7b888dd1b5511f7748503c0b9f056babdad4bbd71312d0403ad0ed1fdaa7ad542",
        tag: "f56a617fe1ab5ad4e4381c76ba778a9d",
    },
    // siv_cmac_512, test 37
    Known {
        family: "siv",
        key: "31abac08d5c8c987e1120248f8766040af7fdd3ae509d1df6ca27918d5f3284de613285215b41f0feec0c8d04bfa2a7a07d09df4db2be9f11f40755fb9b656ea",
        nonce: "0aa6e849c92cb70af975f4bd514b7875",
        ad: "ae58754a052d58f1ab1d46aac2eb69",
        msg: "4b9a835d87cb22025f647df389c0cc5062a533a2d151ec2611583a8989c4c29837b9a5a8",
        ct: "fdacd0f0512d2e8cdeb1c0af28d450f04a9f180355743d0a32be0edbac26bfbeb33a83f0",
        tag: "fa5e0576cafa827ef395049ab7bbd068",
    },
    // gcm_siv_aes128, test 34
    Known {
        family: "gcm-siv",
        key: "36feafef5131e08a5590eaaa114e06b2",
        nonce: "162d85b8e040e3dd41ae8a4d",
        ad: "02",
        msg: "1edcda026b7f94a819cec26e3e67e42372c1152d6e139c77287dfa808deba31465",
        ct: "0eed932ccf7addca733fa10aa4ee41f19663663c9a7c2d48baef14d18fff72b5bc",
        tag: "163b21406585a1aef616da4d208edc7b",
    },
    // gcm_siv_aes256, test 34
    Known {
        family: "gcm-siv",
        key: "ea648491fe99772a9fff728e1ad81c142d2820c4b68ee9bf87fd485b90afdca2",
        nonce: "0d840b71d27b8c414fe40042",
        ad: "43",
        msg: "47ad923618774cfad090663770c9b8ddb59ea7eefcac13f2486e8cc7017eab90a8",
        ct: "644b366523a1c33741dba69e8612be769459269013000ac28ac9a6ebdb58adf03c",
        tag: "d5c2f3dca3e4f4628113ff580eca2e7e",
    },
    // aegis128, test 34
    Known {
        family: "aegis-128",
        key: "d3cbc543adba5f26bf983bf2dc3c5d14",
        nonce: "3b291e052a4c56ed24947395a560f867",
        ad: "1a",
        msg: "245ad28888aa50bff4f8a19b3a119ac4edeb1450be719ca28f2bd067980f4a9ded",
        ct: "03a3c0dec96daa5e78f076cb18409ae257a52a1e68fd67557c06c266bbf92bbdaf",
        tag: "55b447faefa3c736777f065f9663580c",
    },
    // aegis128l, test 34
    Known {
        family: "aegis-128l",
        key: "fddb3f13af9184b92827b7e357e4bd21",
        nonce: "e7f66830d5dfc2a053f4544e9d487098",
        ad: "c7",
        msg: "e5d4d2d8c66425b58de4cdf4192b004aeefc86235b08a200df42ca0e9a4d73de42",
        ct: "9cf90b77e99b90217f804739309c39c63a15505c6c3ddd72f90893a0664da23e2c",
        tag: "1756dc890d91727c0640623947e407b7",
    },
    // aegis128x2_tag128, test 34
    Known {
        family: "aegis-128x2",
        key: "86b5f88b37c89d8fd3ee94955e938db9",
        nonce: "70e3d0d2fc8a9f463791fee61a745555",
        ad: "c4",
        msg: "5342c080afad0a576987dedd7d616486192bb8b65d7fe252128c25ece669c7f082",
        ct: "fe7193a78e0101ebdecf4a16d9524682d5860fdfddbf3333655afb180e4244575d",
        tag: "e30cdca14cdac9354ef38de8466e725e",
    },
    // aegis128x4_tag128, test 34
    Known {
        family: "aegis-128x4",
        key: "efacb4343fb2f11a42365917d8fda4f7",
        nonce: "f6a579033d70ee1afbee0f6343943b58",
        ad: "71",
        msg: "cc739990a384b067b28db991686e91d5b8b3771759614824bbbf7b176ce90e8cc9",
        ct: "1a4ceb0a8b20b55656d3082b53abbacde463fbfd4f827fae2184b691fa893a57ca",
        tag: "1ca9904cf3ca2f98b1fc0145ec5e7361",
    },
    // aegis256, test 34
    Known {
        family: "aegis-256",
        key: "6defabade0486a27b1b6fc4b4aa9009a610182035702d04c182242711c8c5573",
        nonce: "7f8e5d71b4b74116b6e2ae43a4577f035cee7837bdc092cfc8927cc91e5cb3d9",
        ad: "2e",
        msg: "5e0b0d0bd27a235a4579fd546b096e54866c45600f99e8a03f452968440fe99455",
        ct: "25cc5c11f2cad38048eb9be062509c3dbc955a711f2fc47444539789182b6ffdd5",
        tag: "78177dec8b2b935084b367ca95992d76",
    },
    // aegis256x2_tag128, test 34
    Known {
        family: "aegis-256x2",
        key: "666baef1787a1792d0ad2a3f6ee673483a37aa6dc8d2cd7b42ab7153c044c438",
        nonce: "e6c9e698f343d0e81305ae81dfec26ebbc654875c7ca62a78bef2cfcbc0270f5",
        ad: "64",
        msg: "bf0ab6ef810a4437f6770d7ef76cf78c98144a67c2145a529cd3a24fe65d32d436",
        ct: "ee2a36dbb1c02e326cece58b0b36fc56f8e9639abebc987be5e29bb764c09711f8",
        tag: "5ea93156438db4ff0dc2380bb12b5b4c",
    },
    // aegis256x4_tag128, test 34
    Known {
        family: "aegis-256x4",
        key: "66eece50ba9c2102013fcf86b4ad537ae170a39bc0b5a7fa8fe3fa7e234db9f0",
        nonce: "d1ab4ae43693872b9b79a77e46bae8147d3e2c24f70d753935764e043f3f269b",
        ad: "ff",
        msg: "a5680f6f5db6784b6f6e17ddfddf93a24bdf0fa1a6889558ef1b86ba3f463d375e",
        ct: "b679b4aa1605b55c4d6e21afcb4f5b66a63757367d44c529218f7077142520a39c",
        tag: "7a0877a921f2517c6a0ab0cec05dae77",
    },
    // chacha20_poly1305, test 34
    Known {
        family: "chacha20-poly1305",
        key: "2a7771e3fde2f777281167a55f8b2082dabb563b5589ce2ce7deae6376a8ce04",
        nonce: "59d1a1b2062b721815b67c4d",
        ad: "c7",
        msg: "cff44eed7544b0c2e239272b3252299a98401625230763d189321009006c1c77ab",
        ct: "9f26c350986a501f6c0af0705a56283147307aa98268785d07df3dfb55523da2d2",
        tag: "88dcba3478b21949ec257daea6981d22",
    },
    // xchacha20_poly1305, test 34
    Known {
        family: "xchacha20-poly1305",
        key: "ed406fcdf0171052f23ae17dc7e7af636c4358872f5f05082c162cb29827236f",
        nonce: "743d2cff25bc07ba59cf77fd6d101f8f6786c4961fa45782",
        ad: "cc",
        msg: "9153c0d8f66ed89a04591ae56b6ba76011c0f4da7f80a738f5bce91b81c5a97357",
        ct: "5c8155fad38370e220375bcef70b7ed22a23105271b7996f09457d04d8b3d3ec5d",
        tag: "51079974ea3589851958d822ef71c70b",
    },
    // aes_ctr, test 34
    Known {
        family: "ctr",
        key: "e2bddb6c402f3a2f1fa97e7713f83873",
        nonce: "11d70d5b6fe0977f942748a04397fa72",
        ad: "",
        msg: "f2dc78951cb9fcbcd4905b0b11792f1806b6c21af39caa6d8e00ec93c570375ed0",
        ct: "2f4ae90699a284340656c97e42540bb50f8d66c2b151b2cfbe9624159a47087e16",
        tag: "",
    },
    // aes_ctr, test 35
    Known {
        family: "ctr",
        key: "b13aa385a563d4af41301931b3a81394d10b5a07929f92cd",
        nonce: "a546b86230dd136cab1c5c0b4627bdb4",
        ad: "",
        msg: "26c575df5ca39ae7b05d6ce8ce4cf7ffaca28cfb7d4a911cebe43e576ca14072c093",
        ct: "bce71192478090206fc8b2dcc81d64189d3809005ca7e8e24c8e03dc2d945cc1e285",
        tag: "",
    },
    // aes_ctr, test 36
    Known {
        family: "ctr",
        key: "7916fb6382bacf5cde000d2179a739984aae5e289fd06e6597b384ed82642a8f",
        nonce: "30237a00db15963707569efd1db64335",
        ad: "",
        msg: "496fe01d5582c1057a1d8d43b880aabf25da39c72fb8c1644fcb5862bc700871b51373",
        ct: "12df5c501bdf34578b0299b9b47e765fd0fe0fa651fa56b915dd0b21b1420e9d09faf9",
        tag: "",
    },
];

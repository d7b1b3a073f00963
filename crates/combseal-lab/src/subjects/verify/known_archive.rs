//! The known answers of the archive's schemes: one test of each file in `vectors/archive`,
//! and of the stream ciphers that a study has.

use super::known::Known;

pub(super) const ARCHIVE: [Known; 37] = [
    // aes128n12clocv1, test 34
    Known {
        family: "cloc-v1",
        key: "bde5c704e9bc32c1f9764b63fe6d36e6",
        nonce: "9c73f631744e3307fe4f889b",
        ad: "28",
        msg: "83dabda3766b30e13a772a3095650a451f02175cde3ea84b8b9f68cd8f61954c85",
        ct: "b5dce86fbe2694a396c1a0862cc2f8c79d68da33fc621edf6cca41504fa98114d5",
        tag: "cbee2ed3e384d380",
    },
    // aes128n8clocv1, test 34
    Known {
        family: "cloc-v1-nonce8",
        key: "fbe145050c56fbb7e01c18bd8703fa22",
        nonce: "fa4d0cf5ec0f082e",
        ad: "e0",
        msg: "54b203d25e933ff666dccaa9bb6e977303c9b27f974dc15c6f51de2c3e84afb99d",
        ct: "5b8f2c67bf293a540ec5dc98491cb8df8df624f1e68658ee3e6dc706f8602858c2",
        tag: "e4bb21ed067d55f8",
    },
    // aes128n12t8clocv3, test 34
    Known {
        family: "cloc-v3",
        key: "e1c83c026ba3f965f5cae4aa33484943",
        nonce: "ad259a01101173ec3f3fde50",
        ad: "e2",
        msg: "510f79117f76087380a08db4b1ad941340f2c7c94c260e0b7cd85ea3ac93de1ded",
        ct: "f8784bd14f6afa5d19f841d732f8d5bba496e31db35da5edb935c45440a2b56440",
        tag: "845eeb63b179548e",
    },
    // aes128n12silcv1, test 34
    Known {
        family: "silc-v1",
        key: "4d361557bc5ec131b7dad0a79523cf94",
        nonce: "8132a22b0e6ffab1d88ead70",
        ad: "83",
        msg: "00a3257bfcce1a278e675fbffe95a475e85701b2fe9add01588e865acb7991e954",
        ct: "e729cb0604e803db534fcea483a2fbc1617d660476dcb1dd82f986bdf8a543c486",
        tag: "04f44159523b8f05",
    },
    // aes128n8silcv1, test 34
    Known {
        family: "silc-v1-nonce8",
        key: "84b56562fd37b3b48f8f51c50597981e",
        nonce: "4480e170cb4a08ad",
        ad: "b4",
        msg: "03bf32b914f1ee54b0d5b46f6a173daa9677f158d7bffe6ad03eee687d0b18be6d",
        ct: "25f5461de311b3f766dd71d150d85d84ad272f64f329e511ae2f8ef35c6899568a",
        tag: "88e5fd7ef292cafd",
    },
    // aes128n12t8silcv3, test 34
    Known {
        family: "silc-v3",
        key: "ac5f449b528ee74f0b9ce5ad2fec012b",
        nonce: "774328bae3b752c410580ea3",
        ad: "43",
        msg: "f7efbd18085bad3d60a3ca9c9ff5b727d28f459b3f06803200933be809b1323f0b",
        ct: "691e70a9e8fc84ce90bd5d011af62457389d1513091fd12c55f5167add9f2a2c0b",
        tag: "1e209a04c38e6bfa",
    },
    // aesjambuv1, test 34
    Known {
        family: "jambu",
        key: "54bc01e57067726826d39b71a2edd45b",
        nonce: "f005d890a1e4b33c",
        ad: "ad",
        msg: "9d000d83fad970e65ccdf0271fc82a4c1a3ce85db8fe32649fd007695ec2f272a1",
        ct: "447e31c01e30a0af59fe193fa7d72f65069ba2e17160b7afec873c2a319b11d36c",
        tag: "a7ecd84bd873f198",
    },
    // aes128otrpv1, test 34
    Known {
        family: "otr-p-v1",
        key: "3a20a229192bfe9cec9b46ceadbfe0ed",
        nonce: "2930838c4e486fb6e3a626fe",
        ad: "2d",
        msg: "2ae08dc35451e4486c1851f57652ae15e388e855bdb3ae69b8d4da03f17199ab4c",
        ct: "83e73a9594485e8b5fd9c51edc5cca52c18acdc4a9599ee95235d551cd3dceaca8",
        tag: "0824eed74ce896b742d18964064270b2",
    },
    // aes128otrpv2, test 34
    Known {
        family: "otr-p-v2",
        key: "d17e8befc9923aad70218a8c0e5358d8",
        nonce: "4ae91a97fc30b34548f54acb",
        ad: "21",
        msg: "e444d5cdfaa3774e8b004c8b1d4edc738930e473a7f04b4a0cdd2a7114a49fe627",
        ct: "620c8ebd1101b4170a2f08555ba4111ccff70ca96a1833c6131f07f4adaa4a5805",
        tag: "b8357b9024904f8ea7e58002877d1133",
    },
    // aes128otrpv3, test 34
    Known {
        family: "otr-p-v3",
        key: "d1ed1c6a9af2a6c5e397cf45e980811c",
        nonce: "e4e9da7bae435049446b0c6d",
        ad: "73",
        msg: "0d86f5667899ff996845433533a92e4ee83d32e1c99ec02f784eef60b5c5583a62",
        ct: "f4c38729f7e76f2a51ed7ff985322c0cfec58a64252196592c374915034b32e0d4",
        tag: "86c94ce13734f2069e733f3304f16825",
    },
    // aes128otrsv1, test 34
    Known {
        family: "otr-s-v1",
        key: "5dfb27944dd91de02110bef7cf07a2e4",
        nonce: "70145391fa1d5f749994bbb8",
        ad: "d7",
        msg: "f19d01c85872e7ce564620ef7074a1eae8fb3fe17c6c5eb0af41e160d47b30c957",
        ct: "b57520f850c9f4d9860279278e6b310511a83233792422f27280b2ffc92438c06e",
        tag: "3b19fda89c38c71c4d131f2d25a1a2d0",
    },
    // aes128otrsv2, test 34
    Known {
        family: "otr-s-v2",
        key: "bfe9a227d59e48a17a6392895b9ee40b",
        nonce: "14e79cc7a04b89fb2c0e006b",
        ad: "e4",
        msg: "1c0f87b9cb9cf185a1be9f58e6993eef849032cec0eca17105d7d176b9de697a5b",
        ct: "bca043783fadcda147fed4eac34a17fdb37821de9dfb831807bf97e5571f9d26bc",
        tag: "fdb603202056501b15c1893d7aabe2d7",
    },
    // aes128otrsv3, test 34
    Known {
        family: "otr-s-v3",
        key: "a3cd2e65be98d8055cf7e642dd9bdf45",
        nonce: "6cc0c8be9626f7f748425e14",
        ad: "bc",
        msg: "19b6b0256b2a50dcf97028e2ef44f5dee14eb0154d7219bf1618ec8a8020d62691",
        ct: "ce628f6fd192a3e7cee1c89f17cbea274e7331e8461e250875bec5517e127c47ec",
        tag: "2cacb443c3b2e2dd2ef35c4dd8b2e240",
    },
    // etm_a128cbc_hs256, test 34
    Known {
        family: "cbc-hmac-sha-256",
        key: "367ca3f659084a3d82146d8f2ae7bca8f6c525cf00567a80b15128a17dbcb5cd",
        nonce: "ccfab4d372007b37352c8a91ebf49c3f",
        ad: "2d",
        msg: "5539889ee8c4be36050e49cf09d6a9fe35bbabeb0b4ab6c00edeac59ee06cff71c",
        ct: "7a30deab1bf44b65dc4a1c5d7499d8154dcdcd3a96dca276220fa1c3d12486c57c",
        tag: "a57fd14e9872b805c39223e08bae149ba8cd9ee47f2f2f587e3bc8642cb4cd",
    },
    // aescopav1, test 34
    Known {
        family: "copa-v1",
        key: "da6133be3e7dd95d9e23da4f3e77d701",
        nonce: "0d6117860c2adaf5592efa0a184bcc9c",
        ad: "ff",
        msg: "684ceb6afdd7de21194ec08636a84f59a4a35e12f99791509cfbab63bdee66f92a",
        ct: "e64457deb0681de14397645aa7800911cd90b4f41a2f4ed8e731d557185ac53a53",
        tag: "827b6b7beebd9b96f8bb1bfb09952a03",
    },
    // aescopav2, test 34
    Known {
        family: "copa-v2",
        key: "a6086cbc25692790bbb9ce0298645329",
        nonce: "0e599e8f27c34ca70a0ac9ccad2a61ec",
        ad: "bd",
        msg: "e52195460eecf9b192c9dbc2e7efb962d8fed0ae27a885f39aef8a220bfe293812",
        ct: "010ea464ca6d0895c726e5acef4bd80fcef883947a5401309e5530f3798410db8d",
        tag: "7941496e7de85546a1a34c9a06f5230ee996826642d2bad63690e6442cd6da01",
    },
    // colm0v1, test 34
    Known {
        family: "colm0",
        key: "cd55546cb4066e6459d48f589315eb50",
        nonce: "6ab8aa99bdda8abd",
        ad: "cb",
        msg: "5b81621158a38c78f525e1ce4389429f35644bfd7849b9c36454813c58994a5c39",
        ct: "64f7c8805855dd5ee0cdc318cef7fc635bcf79fd18664e528dc01bae5238797b11",
        tag: "1a3ee14015dac6638201fdbfded6a71a",
    },
    // colm127v1, test 34
    Known {
        family: "colm127",
        key: "61a6a25f83234bafb14e8bc3e7829f93",
        nonce: "d7fa763d43d918db",
        ad: "37",
        msg: "4cf07017727ca118e0b2507ca9d764aedf294d7d802fd8f3e3fce013d206524fec",
        ct: "d1655f74884715e81918d70eba5a7fb08e0add0907fa37528f9b91d0fb9f4f3772",
        tag: "74a9e616daa4722cf312a16bca36a923",
    },
    // colm127v1_mask3L, test 18
    Known {
        family: "colm127-mask3l",
        key: "15cca854d99c6fa6571800fed731dd77",
        nonce: "58e1f2ae9df3dbb4",
        ad: "12023f0c6e1f567c07b2630edcc505ef",
        msg: "c9fdacb57af55a7745bfc23a01fe6e81a3f0b8e672ad219dc6c1489204dc37712933",
        ct: "d6cb3456b366c5b20c387a88305c348ad452850b460ac0ccf5661d69bd2cbae21955",
        tag: "b3a8f2329c1d3275c88a52252fa7cbea",
    },
    // deoxysii128v141, test 34
    Known {
        family: "deoxys-ii-128",
        key: "ed7d37f6401583db230a8e92f9e14b1c",
        nonce: "b2f3746332a74e28f33519286ae407",
        ad: "bd",
        msg: "0ca6ccff0e0582016495a0e84ba2f9a72d606d218702c4c0e05413f5cbe449d332",
        ct: "baefaef6f6dafe18f8f1cc43c128d21157f3b437009fd49b67552a6a0ef312f52b",
        tag: "94e79f8e5ac0b1f43f15d99d4e01a37f",
    },
    // aes128poetv1aes128, test 34
    Known {
        family: "poet-v1",
        key: "20e1a02e4ae5e7de0f20cb5f1b7e859e",
        nonce: "1f00ae430f638f64bbb072490cbac611",
        ad: "97",
        msg: "68b46d6e841e8bd3af73bc98eee4af8bb1f5e0301e572551dac2f2af7b0d9b1902",
        ct: "e500b28feb55f1889e513a4d206929ca9c30153b922e68337e707075baedccdbb5",
        tag: "8e985629002a394c829058fc3a9e2717",
    },
    // aes128poetv2aes128, test 34
    Known {
        family: "poet-v2",
        key: "6b06fed724fafa5173b926d3456a9af1",
        nonce: "e25b2d20fcce0a6f627dae5672ff1723",
        ad: "ef",
        msg: "d3c7089c32f18bc1f1e09849e389dac440a6e7f8d511b8bfe937019a16de29fc47",
        ct: "a514102bd0965f5787ccaef2e494cf512e5b86981871210f23fc3fd98382c8995c",
        tag: "5125d56a4c318f94e3605304d4dee07f",
    },
    // cwc_aes128, test 34
    Known {
        family: "cwc",
        key: "ae6464766d456df28bb880d4b9241046",
        nonce: "1d147f88c43e2b79deef58",
        ad: "a2",
        msg: "a657e36031238fa936e6ff4874d5edb1942bbfb4345cd40232f082c96b5ef36e38",
        ct: "f74b0dd69ee75e53298212cd9e64e2365f0e1cf5a0069f5365d77a0b93e88ce9c4",
        tag: "5a5a115f669d4840c97b8d573d987eba",
    },
    // cwc_aes256, test 34
    Known {
        family: "cwc",
        key: "9c9646593e8d85f4ddc0f454c0f529f596e688f1acd89fff14a9505e6623c909",
        nonce: "c93750e8d5c931fd9dc2ac",
        ad: "8e",
        msg: "1eb3fa1b3d8e85b99c33141003458d64b7524d3e7cfdca99a3214f4c2b6041dfe6",
        ct: "75f848aa7425b4f4900e5f0e7c0dac6cee6c97a6bf2986554b7a21c054716e0d1a",
        tag: "58bbfde6843efb14f919819ebd37d990",
    },
    // julius_ecb_regular, test 34
    Known {
        family: "julius-ecb",
        key: "3557dfb8a044a1a4468b23046f611265",
        nonce: "f2f1a21fa37812195cfa224091c1dc81",
        ad: "ac",
        msg: "4456cade6ed233589a31afa82b55db6d14ae6ca2a3df919f2367476fd2d282a1a4",
        ct: "20ebe2f84d5aa8b35021b4c8acc824b0fd1bd0ea601b3944140e027151601ad23b",
        tag: "383e238f3907e1c8db4436b1470cc7bcbe5c7bbd97ef4d1c8f62b3921252b6",
    },
    // julius_ecb_regular_code, test 12
    Known {
        family: "julius-ecb-as-coded",
        key: "1e5cf6a5c9306cc7372d109cfa6aa180",
        nonce: "a721be1135749a480016b17f96d068d7",
        ad: "b9",
        msg: "5c462b016e59b8b9746d05f4a27e4ad825a87b6ddca68dd6f425077ca6d0dc8139",
        ct: "ca68326e6b8bf4208e1156e9207a0e6bd11dc899eb7f856f7d3aca86610e0e88f6",
        tag: "0f319751e64b794169ecd6c15b8786893d72cd3f92c8e2a77d1241dad6a222",
    },
    // mcoe_d, test 34
    Known {
        family: "mcoe-d",
        key: "45c48cc569e096f692e44b951a664cdf",
        nonce: "0531c04171962dda03b99ebafea2b41d",
        ad: "53",
        msg: "f8f7644436b3158a34692a844fe67e01e9eb17a4c163f6dfec1ecc656a6de98239",
        ct: "0ed72e8940b4d35fb653c24a01ce57c604402af86c110a8f1def1b693e936f0064",
        tag: "9df0a9ece8dfebb8cc6303b10f10e6e0",
    },
    // mcoe_g, test 34
    Known {
        family: "mcoe-g",
        key: "dda87e8b5f4a41c930efa0c3e543284213f65eab5d179f21622df8a14d478680",
        nonce: "9c220dc2c05bcae5a4ca4f843d9542e4",
        ad: "56",
        msg: "d300b8e880baa7164d1fe6ef488fc4bd42792adeffd8f66679577bc2fd20c58978",
        ct: "9a525f1199f2da67d867c014c7d0c0238157292528ed51c061681d801e8635f81f",
        tag: "9cd19fb5c37dbf60bd4f7118e20799fb",
    },
    // mcoe_g_lrw2, test 34
    Known {
        family: "mcoe-g-both-masks",
        key: "77469b450a17bb2f919f834101458c1a1606e80330af4aca1376e88561a8c9f0",
        nonce: "adc7aed6f3d7856042b41a233251de42",
        ad: "4b",
        msg: "1e923d4627ecdbe6ad30107ba4ea1c092f07d11bca03d2268908fd75a26095d622",
        ct: "a81adc7dd8d803d47cd5b7c8155a43486180786048b2465d59fb9c55a98693885d",
        tag: "740f5f63a487d27ba35a9f9e1a1f43ce",
    },
    // mcoe_x, test 34
    Known {
        family: "mcoe-x",
        key: "7a6279e0370acf9a4792fbf561c7aea9",
        nonce: "ca400887dacd2b3f6b53549b53a4c3cb",
        ad: "4a",
        msg: "6836aeeb3ba89a6b642107370d2a2e366e152d5ab9dd05d05ca64a84cd76646cec",
        ct: "7642b986dd47317b1645c358b9d47db328a4c950caa4ba42e48228b740fc4c9a9c",
        tag: "e529730fb7426f5cc938f3afb08f06f9",
    },
    // ocb1_aes128, test 34
    Known {
        family: "ocb1",
        key: "dcd9df9b866d9e101c5f94d338e3e654",
        nonce: "f12c3caee35f7edf5000751b0a22b1da",
        ad: "",
        msg: "5242651d1ae9edcd0b507f107b1c94017f42d02dd29705f7871f92746bb2b81b08",
        ct: "71fc02dbf30f8c5ebe763f9081cb4a83c1599ed4424f06fee07d34c1ac1f228f32",
        tag: "fe11215559b0d8a244cfb0b5159db5e1",
    },
    // ocb2_aes128, test 34
    Known {
        family: "ocb2",
        key: "1d53b88fab54a104065f6a7c84983db0",
        nonce: "734570f92d271d0ac4573c267bce36ad",
        ad: "d5",
        msg: "222f769da3ee1c412ad159bb16334eef966fbf86abae6ddfb1298921140afc47ef",
        ct: "87c1e35be8e66cff9fd1fef7df2fac88612b9fcf37114e9f7a00b3b7fdf593344e",
        tag: "861388fd908ad47dd6d9b075bc5f1c25",
    },
    // stream/salsa20-poly1305, len17-6; the key is r and behind it the cipher's
    Known {
        family: "salsa20-poly1305",
        key: "c6e6c70290aa4a0af4076d0db03e57096916f06067f06e13c1fc7e10eb7d1c34b474a3acfe902faa153d82ab90a57622",
        nonce: "12bfcf696d2c9547",
        ad: "",
        msg: "3a476124924a58fa3b9523289918603adb",
        ct: "5c2bfcefec3ae0f6ad667623661208c9e0",
        tag: "3bf4e51ec713839833bdcd468ff25a30",
    },
    // stream/hc-128-poly1305, len17-6; the key is r and behind it the cipher's
    Known {
        family: "hc-128-poly1305",
        key: "f5cfb308a8d63e090805d807e0fc3c09c6f17ef8e884a6bc64ebb608c730499f",
        nonce: "cd99ab1f09836fece7f1a0e038b4b755",
        ad: "",
        msg: "9a360f29a30c27edecb2ebfe04e6129800",
        ct: "391f49825f350334c7dc0183780ed3872d",
        tag: "691ec59c75300f0cebd06a0290c0b4e3",
    },
    // stream/rabbit-poly1305, len17-6; the key is r and behind it the cipher's
    Known {
        family: "rabbit-poly1305",
        key: "8cf3180bd00ccb0e98d6010ec0dc210a2e0b27637caee8c96971851d4ad17837",
        nonce: "efef327d9c10faa1",
        ad: "",
        msg: "c5a25f6f64a572c19fe075ea9cd5121b6d",
        ct: "e3b1c4a296972a643e6a850ef8ae9a5c35",
        tag: "19cf352b808133075dddfddaa514662a",
    },
    // stream/sosemanuk-poly1305, len17-6; the key is r and behind it the cipher's
    Known {
        family: "sosemanuk-poly1305",
        key: "78a7e90554713902c80a8b0854748503af40966a02d9192219f8f24e7d6e3ead1de35e1276474d7de0292b7df6c77d5c",
        nonce: "fc10ef72e322003d7df6194f06d81eb1",
        ad: "",
        msg: "8dad194adfcaff712ff3b5e252217f5f85",
        ct: "ff6aa0fb65c2423b221b47e4cb6ec4a4f6",
        tag: "fb294bab3f81f353fd55f8f99df39137",
    },
    // stream/snow-2.0-poly1305, len17-6; the key is r and behind it the cipher's
    Known {
        family: "snow-2.0-poly1305",
        key: "640ed40cf4926e05ac5d0602d44c4301e235ac838c9b755f116b018daf9a399a56fdfc691e12f990e8a9628bd89cb480",
        nonce: "d68b00c4560d3271d66c0089ff1a3d4f",
        ad: "",
        msg: "62c88a3163773fdd04b3e304942f3cde94",
        ct: "1f9c2e783e95644055ba6a07b427d57fce",
        tag: "e470213c871ea7cb448a033b2871464f",
    },
];

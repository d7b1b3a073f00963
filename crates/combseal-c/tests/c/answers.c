/* Known answers through combseal.h: RFC 7253, appendix A, and one each of AES-GCM (SP 800-38D's test
 * case 4) and ChaCha20-Poly1305 (RFC 8439, 2.8.2), in every form, on every tier that this machine has. */
#include "combseal.h"
#include "test.h"

static const struct {
    const char *algorithm, *key, *nonce, *ad, *plain, *sealed;
} ANSWERS[] = {
    {"OCB3-AES-128", "000102030405060708090A0B0C0D0E0F", "BBAA99887766554433221100", "", "",
     "785407BFFFC8AD9EDCC5520AC9111EE6"},
    {"OCB3-AES-128", "000102030405060708090A0B0C0D0E0F", "BBAA99887766554433221101", "0001020304050607",
     "0001020304050607", "6820B3657B6F615A5725BDA0D3B4EB3A257C9AF1F8F03009"},
    {"OCB3-AES-128", "000102030405060708090A0B0C0D0E0F", "BBAA99887766554433221102", "0001020304050607", "",
     "81017F8203F081277152FADE694A0A00"},
    {"OCB3-AES-128", "000102030405060708090A0B0C0D0E0F", "BBAA99887766554433221103", "", "0001020304050607",
     "45DD69F8F5AAE72414054CD1F35D82760B2CD00D2F99BFA9"},
    {"OCB3-AES-128", "000102030405060708090A0B0C0D0E0F", "BBAA99887766554433221104",
     "000102030405060708090A0B0C0D0E0F", "000102030405060708090A0B0C0D0E0F",
     "571D535B60B277188BE5147170A9A22C3AD7A4FF3835B8C5701C1CCEC8FC3358"},
    {"OCB3-AES-128", "000102030405060708090A0B0C0D0E0F", "BBAA9988776655443322110D",
     "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F2021222324252627",
     "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F2021222324252627",
     "D5CA91748410C1751FF8A2F618255B68A0A12E093FF454606E59F9C1D0DDC54B65E8628E568BAD7AED07BA06A4A69483"
     "A7035490C5769E60"},
    {"AES-128-GCM", "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
     "b16aedf5aa0de657ba637b39",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
     "1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47"},
    {"chacha20-poly1305", "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
     "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
     "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a20496620492063"
     "6f756c64206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
     "637265656e20776f756c642062652069742e",
     "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
     "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
     "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691"},
};

int main(void) {
    size_t done = 0;
    for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++) {
        unsigned char key_bytes[32], nonce[16], ad[64], plain[256], sealed[256], out[256], tag[16];
        size_t key_len = unhex(ANSWERS[i].key, key_bytes), nonce_len = unhex(ANSWERS[i].nonce, nonce);
        size_t ad_len = unhex(ANSWERS[i].ad, ad), len = unhex(ANSWERS[i].plain, plain), written;
        size_t all = unhex(ANSWERS[i].sealed, sealed);
        const char *tier;
        CHECK(all == len + 16);
        if (combseal_algorithm_key_len(ANSWERS[i].algorithm) == 0) {
            printf("this build has no %s\n", ANSWERS[i].algorithm);
            continue;
        }
        for (size_t t = 0; (tier = combseal_tier_name(t)) != NULL; t++) {
            combseal_key *key;
            /* Valgrind knows no instructions beyond AVX2. */
            if (getenv("TEST_TIERS") && !strstr(getenv("TEST_TIERS"), tier)) continue;
            GIVES(combseal_key_new_with(&key, ANSWERS[i].algorithm, key_bytes, key_len, COMBSEAL_USUAL,
                                        COMBSEAL_USUAL, tier), 0);
            CHECK(strcmp(combseal_key_tier(key), tier) == 0);

            GIVES(combseal_seal(key, nonce, nonce_len, ad, ad_len, plain, len, out, tag, 16), 0);
            CHECK(memcmp(out, sealed, len) == 0 && memcmp(tag, sealed + len, 16) == 0);
            GIVES(combseal_open(key, nonce, nonce_len, ad, ad_len, out, len, out, tag, 16), 0);
            CHECK(memcmp(out, plain, len) == 0);
            GIVES(combseal_seal(key, nonce, nonce_len, ad, ad_len, out, len, out, tag, 16), 0);
            CHECK(memcmp(out, sealed, len) == 0 && memcmp(tag, sealed + len, 16) == 0);

            GIVES(combseal_seal_attached(key, nonce, nonce_len, ad, ad_len, plain, len, out, sizeof out, &written), 0);
            CHECK(written == all && memcmp(out, sealed, all) == 0);
            GIVES(combseal_open_attached(key, nonce, nonce_len, ad, ad_len, out, all, out, len, &written), 0);
            CHECK(written == len && memcmp(out, plain, len) == 0);
            memcpy(out, sealed, all);
            memset(plain, 1, len);
            GIVES(combseal_open_attached(key, nonce, nonce_len, ad, ad_len, out, all, plain, len, NULL), 0);
            unhex(ANSWERS[i].plain, out);
            CHECK(memcmp(out, plain, len) == 0);

            /* Every bit of what was sealed counts, and a forgery leaves zeros. */
            for (size_t bit = 0; bit < 8 * all; bit += all > 64 ? 13 : 1) {
                memcpy(out, sealed, all);
                out[bit / 8] ^= (unsigned char)(1u << bit % 8);
                GIVES(combseal_open_attached(key, nonce, nonce_len, ad, ad_len, out, all, out, all, &written),
                      COMBSEAL_ERROR_FORGED);
                CHECK(written == 0 && all_are(out, all, 0));
            }
            combseal_key_free(key);
            done++;
        }
    }
    CHECK(done >= 6);
    printf("%zu known answers\n", done);
    return 0;
}

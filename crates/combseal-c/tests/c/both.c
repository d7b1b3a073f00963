/* Both libraries in one program, and they agree. */
#include "ae.h"
#include "combseal.h"
#include "test.h"

int main(void) {
    static const unsigned char bytes[16] = {5}, nonce[12] = {6}, ad[40] = {7};
    combseal_key *key;
    ae_ctx *ctx = ae_allocate(NULL);
    GIVES(combseal_key_new(&key, "OCB3-AES-128", bytes, 16), 0);
    GIVES(ae_init(ctx, bytes, 16, 12, 16), AE_SUCCESS);
    for (int len = 0; len < 1000; len += 7) {
        unsigned char message[1000], a[1016], b[1016];
        size_t written;
        memset(message, len, sizeof message);
        GIVES(combseal_seal_attached(key, nonce, 12, ad, (size_t)len % 40, message, (size_t)len, a, sizeof a, &written), 0);
        GIVES(ae_encrypt(ctx, nonce, message, len, ad, len % 40, b, NULL, AE_FINALIZE), len + 16);
        CHECK(memcmp(a, b, written) == 0);
        GIVES(ae_decrypt(ctx, nonce, a, len + 16, NULL, -1, b, NULL, AE_FINALIZE), len);
        CHECK(memcmp(b, message, (size_t)len) == 0);
    }
    combseal_key_free(key);
    ae_free(ctx);
    return 0;
}

/* ae.h as its users use it: known answers of RFC 7253, a context in the caller's memory at any address,
 * the tag behind or apart, associated data again, forgeries, and what is refused. */
#include "ae.h"
#include "test.h"
#include <stdint.h>

static const char *NONCE = "BBAA99887766554433221104";
static const char *DATA = "000102030405060708090A0B0C0D0E0F";
static const char *SEALED = "571D535B60B277188BE5147170A9A22C3AD7A4FF3835B8C5701C1CCEC8FC3358";

static void answers(ae_ctx *ctx) {
    unsigned char data[16], nonce[12], sealed[32], out[32], tag[16];
    unhex(DATA, data), unhex(NONCE, nonce), unhex(SEALED, sealed);
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, data, 16, 12, 16), AE_SUCCESS);
    GIVES(ae_encrypt(ctx, nonce, data, 16, data, 16, out, NULL, AE_FINALIZE), 32);
    CHECK(memcmp(out, sealed, 32) == 0);
    GIVES(ae_decrypt(ctx, nonce, out, 32, data, 16, out, NULL, AE_FINALIZE), 16);
    CHECK(memcmp(out, data, 16) == 0);
    GIVES(ae_encrypt(ctx, nonce, out, 16, data, 16, out, tag, AE_FINALIZE), 16);
    CHECK(memcmp(out, sealed, 16) == 0 && memcmp(tag, sealed + 16, 16) == 0);
    /* The associated data of the message before, again. */
    GIVES(ae_encrypt(ctx, nonce, data, 16, NULL, -1, out, NULL, AE_FINALIZE), 32);
    CHECK(memcmp(out, sealed, 32) == 0);
    GIVES(ae_decrypt(ctx, nonce, sealed, 16, NULL, -1, out, sealed + 16, AE_FINALIZE), 16);
    CHECK(memcmp(out, data, 16) == 0);
    GIVES(ae_encrypt(ctx, nonce, data, 16, NULL, 0, out, NULL, AE_FINALIZE), 32);
    CHECK(memcmp(out, sealed, 32) != 0);
    GIVES(ae_decrypt(ctx, nonce, sealed, 32, NULL, -1, out, NULL, AE_FINALIZE), AE_INVALID);
    CHECK(all_are(out, 16, 0));
    for (int bit = 0; bit < 256; bit++) {
        memcpy(out, sealed, 32);
        out[bit / 8] ^= (unsigned char)(1 << bit % 8);
        GIVES(ae_decrypt(ctx, nonce, out, 32, data, 16, out, NULL, AE_FINALIZE), AE_INVALID);
        CHECK(all_are(out, 16, 0));
    }
}

static void refused(ae_ctx *ctx) {
    unsigned char data[64] = {0}, nonce[12] = {0}, out[64], tag[16] = {0};
    GIVES(ae_init(NULL, data, 16, 12, 16), AE_NOT_SUPPORTED);
    GIVES(ae_clear(ctx), AE_SUCCESS);
    for (int len = -1; len < 40; len++) {
        GIVES(ae_init(ctx, data, len, 12, 16), len == 16 || len == 24 || len == 32 ? AE_SUCCESS : AE_NOT_SUPPORTED);
        GIVES(ae_init(ctx, data, 16, len, 16), len >= 6 && len <= 15 ? AE_SUCCESS : AE_NOT_SUPPORTED);
        GIVES(ae_init(ctx, data, 16, 12, len), len >= 8 && len <= 16 ? AE_SUCCESS : AE_NOT_SUPPORTED);
    }
    GIVES(ae_init(ctx, NULL, 16, 12, 16), AE_NOT_SUPPORTED);
    GIVES(ae_init(ctx, data, 16, 12, 16), AE_SUCCESS);
#define REFUSED(...)                                                         \
    memset(out, 1, sizeof out);                                              \
    GIVES(ae_encrypt(ctx, __VA_ARGS__), AE_NOT_SUPPORTED);                   \
    CHECK(all_are(out, 32, 0));                                              \
    memset(out, 1, sizeof out);                                              \
    GIVES(ae_decrypt(ctx, __VA_ARGS__), AE_NOT_SUPPORTED);                   \
    CHECK(all_are(out, 32, 0))
    /* Parts: ae_parts.c has the rest. */
    memset(out, 1, sizeof out);
    GIVES(ae_decrypt(ctx, nonce, data, 32, NULL, 0, out, tag, AE_PENDING), AE_NOT_SUPPORTED);
    CHECK(all_are(out, 32, 0));
    REFUSED(NULL, data, 32, NULL, 0, out, tag, AE_PENDING);
    REFUSED(NULL, data, 32, NULL, 0, out, tag, AE_FINALIZE);
    /* Pointers and lengths. */
    REFUSED(nonce, NULL, 32, NULL, 0, out, tag, AE_FINALIZE);
    REFUSED(nonce, data, 32, NULL, 3, out, tag, AE_FINALIZE);
    REFUSED(nonce, out + 1, 32, NULL, 0, out, tag, AE_FINALIZE);
    REFUSED(nonce, data, 32, NULL, 0, out, out + 31, AE_FINALIZE);
    REFUSED(nonce, data, 32, out + 3, 3, out, tag, AE_FINALIZE);
    REFUSED(out + 20, data, 32, NULL, 0, out, tag, AE_FINALIZE);
    GIVES(ae_encrypt(ctx, nonce, data, -1, NULL, 0, out, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_encrypt(ctx, nonce, data, 16, NULL, 0, NULL, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_decrypt(ctx, nonce, data, -5, NULL, 0, out, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_encrypt(NULL, nonce, data, 16, NULL, 0, out, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    /* Less than a tag. */
    for (int len = 0; len < 16; len++) {
        GIVES(ae_decrypt(ctx, nonce, data, len, NULL, 0, out, NULL, AE_FINALIZE), AE_INVALID);
    }
    /* No bytes at all. */
    GIVES(ae_encrypt(ctx, nonce, NULL, 0, NULL, 0, NULL, tag, AE_FINALIZE), 0);
    GIVES(ae_decrypt(ctx, nonce, NULL, 0, NULL, 0, NULL, tag, AE_FINALIZE), 0);
}

/* A context on the stack that nobody cleared, or that was written over in part since: as with the original, a
 * new one can be made in its place. */
static void left_behind(void) {
    /* So that what checks for leaks finds the associated data, which nobody gives back. */
    static uint64_t old[5][1024];
    static const size_t FROM[] = {8192, 8, 64, 512, 1000};
    unsigned char *memory = (unsigned char *)malloc(8192 + 64), *place = memory;
    unsigned char nonce[12] = {0}, ad[50] = {1}, out[80];
    size_t size = (size_t)ae_ctx_sizeof();
    CHECK(memory != NULL && size <= 8192);
    while ((uintptr_t)place % 64) place++;
    memset(place, 0, 8192);
    for (size_t i = 0; i < 5; i++) {
        ae_ctx *ctx = (ae_ctx *)(void *)place;
        GIVES(ae_init(ctx, ad, 16, 12, 16), AE_SUCCESS);
        GIVES(ae_encrypt(ctx, nonce, ad, 50, ad, 50, out, NULL, AE_PENDING), AE_NOT_SUPPORTED);
        GIVES(ae_encrypt(ctx, nonce, ad, 48, ad, 50, out, NULL, AE_PENDING), 48);
        memcpy(old[i], place, size);
        if (FROM[i] < size) memset(place + FROM[i], 0x5a, size - FROM[i]);
        GIVES(ae_init(ctx, ad, 16, 12, 16), AE_SUCCESS);
        GIVES(ae_encrypt(ctx, nonce, ad, 50, ad, 50, out, NULL, AE_FINALIZE), 66);
        GIVES(ae_clear(ctx), AE_SUCCESS);
    }
    free(memory);
}

/* The message before is the last one that was done to its end: not a forgery, and none that was refused, whole
 * or in parts. */
static void before(ae_ctx *ctx) {
    unsigned char data[32] = {1}, nonce[12] = {2}, good[48], other[48], out[64];
    const char *ads = "GOODevilmore";
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, data, 16, 12, 16), AE_SUCCESS);
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_SUCCESS);
#define STILL_GOOD()                                                                     \
    GIVES(ae_encrypt(ctx, nonce, data, 32, NULL, -1, other, NULL, AE_FINALIZE), 48);     \
    CHECK(memcmp(good, other, 48) == 0);                                                 \
    GIVES(ae_decrypt(ctx, nonce, good, 48, NULL, -1, out, NULL, AE_FINALIZE), 32)
    GIVES(ae_encrypt(ctx, nonce, data, 32, ads, 4, good, NULL, AE_FINALIZE), 48);
    STILL_GOOD();
    GIVES(ae_decrypt(ctx, nonce, good, 48, ads + 4, 4, out, NULL, AE_FINALIZE), AE_INVALID);
    STILL_GOOD();
    GIVES(ae_decrypt(ctx, nonce, good, 48, ads + 4, 4, good + 1, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_encrypt(ctx, nonce, data, 32, ads, 4, good, NULL, AE_FINALIZE), 48);
    memcpy(out, data, 32);
    GIVES(ae_encrypt(ctx, nonce, out, 32, ads + 4, 4, out + 1, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
    STILL_GOOD();
    /* Parts: refused in the middle, begun and left, forged. */
    GIVES(ae_encrypt(ctx, nonce, data, 16, ads + 4, 4, out, NULL, AE_PENDING), 16);
    GIVES(ae_encrypt(ctx, NULL, data, 15, ads + 8, 4, out, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    STILL_GOOD();
    GIVES(ae_encrypt(ctx, nonce, data, 16, ads + 4, 4, out, NULL, AE_PENDING), 16);
    GIVES(ae_encrypt(ctx, NULL, out + 1, 16, ads + 8, 4, out, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    STILL_GOOD();
    GIVES(ae_encrypt(ctx, nonce, data, 16, ads + 4, 4, out, NULL, AE_PENDING), 16);
    STILL_GOOD();
    GIVES(ae_decrypt(ctx, nonce, good, 16, ads + 4, 4, out, NULL, AE_PENDING), 16);
    GIVES(ae_decrypt(ctx, NULL, good + 16, 32, NULL, 0, out + 16, NULL, AE_FINALIZE), AE_INVALID);
    STILL_GOOD();
    /* And one that was finished. */
    GIVES(ae_encrypt(ctx, nonce, data, 16, ads, 2, out, NULL, AE_PENDING), 16);
    GIVES(ae_encrypt(ctx, NULL, data + 16, 16, ads + 2, 2, out + 16, NULL, AE_FINALIZE), 32);
    CHECK(memcmp(good, out, 48) == 0);
    STILL_GOOD();
    GIVES(ae_decrypt(ctx, nonce, good, 16, ads, 4, out, NULL, AE_PENDING), 16);
    GIVES(ae_decrypt(ctx, NULL, good + 16, 32, NULL, 0, out + 16, NULL, AE_FINALIZE), 16);
    STILL_GOOD();
}

/* What a call that failed would have written is zero: the tag's place too, apart or behind, and a part's where
 * no context lives. */
static void zeroed(ae_ctx *ctx) {
    unsigned char data[32] = {1}, nonce[12] = {2}, out[64], tag[16];
    GIVES(ae_clear(ctx), AE_SUCCESS);
    memset(out, 7, sizeof out);
    GIVES(ae_decrypt(ctx, nonce, data, 32, NULL, 0, out, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    CHECK(all_are(out, 32, 0) && all_are(out + 32, 32, 7));
    GIVES(ae_init(ctx, data, 16, 12, 16), AE_SUCCESS);
    memset(out, 7, sizeof out), memset(tag, 7, sizeof tag);
    GIVES(ae_encrypt(ctx, nonce, data, 32, out, 5, out, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    CHECK(all_are(out, 32, 0) && all_are(out + 32, 32, 7) && all_are(tag, 16, 0));
    memset(out, 7, sizeof out);
    GIVES(ae_encrypt(ctx, nonce, data, 32, out, 5, out, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
    CHECK(all_are(out, 48, 0) && all_are(out + 48, 16, 7));
    memset(out, 7, sizeof out), memset(tag, 7, sizeof tag);
    GIVES(ae_encrypt(ctx, NULL, data, 32, NULL, 0, out, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    CHECK(all_are(out, 32, 0) && all_are(out + 32, 32, 7) && all_are(tag, 16, 0));
}

int main(void) {
    int size = ae_ctx_sizeof();
    unsigned char *memory = (unsigned char *)malloc((size_t)size + 64);
    ae_ctx *ctx = ae_allocate(NULL);
    CHECK(ctx != NULL && memory != NULL);
    answers(ctx);
    refused(ctx);
    before(ctx);
    zeroed(ctx);
    answers(ctx);
    ae_free(ctx);
    ae_free(NULL);
    ctx = ae_allocate(memory);
    ae_free(ctx);
    GIVES(ae_clear(NULL), AE_NOT_SUPPORTED);

    for (size_t shift = 0; shift < 64; shift++) {
        unsigned char nonce[12] = {0}, out[64], copied[8192];
        memset(memory, 0xa5, (size_t)size + 64);
        ctx = (ae_ctx *)(void *)(memory + shift);
        /* Not yet a context. */
        GIVES(ae_encrypt(ctx, nonce, nonce, 12, NULL, 0, out, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
        answers(ctx);
        CHECK(all_are(memory, shift, 0xa5) && all_are(memory + shift + size, 64 - shift, 0xa5));
        /* A copy elsewhere is none. */
        CHECK((size_t)size < sizeof copied);
        memcpy(copied, ctx, (size_t)size);
        GIVES(ae_encrypt((ae_ctx *)(void *)copied, nonce, nonce, 12, NULL, 0, out, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
        /* But it has a key in it, which goes with what else is there. */
        memset(copied + size, 0xa5, sizeof copied - (size_t)size);
        GIVES(ae_clear((ae_ctx *)(void *)copied), AE_SUCCESS);
        CHECK(all_are(copied, (size_t)size, 0) && all_are(copied + size, sizeof copied - (size_t)size, 0xa5));
        GIVES(ae_encrypt(ctx, nonce, nonce, 12, NULL, 0, out, NULL, AE_FINALIZE), 28);
        GIVES(ae_clear(ctx), AE_SUCCESS);
        GIVES(ae_clear(ctx), AE_SUCCESS);
        CHECK(all_are(memory + shift, (size_t)size, 0));
        GIVES(ae_encrypt(ctx, nonce, nonce, 12, NULL, 0, out, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
    }
    free(memory);
    left_behind();
    return 0;
}

/* ae.h, messages in parts: the same bytes as in one call however they are cut, in place and apart, the
 * tag behind or apart, associated data with any part; decryption only once it is allowed; and what is
 * misused: parts without a beginning or behind the end, wrong lengths, a context that was copied. */
#include "ae.h"
#include "test.h"
#include <stdint.h>

enum { MOST = 9000 };

static unsigned char message[MOST], ad[200], sealed[MOST + 16], out[MOST + 16], back[MOST + 16];
static const unsigned char KEY[32] = {3, 1, 4}, NONCE[12] = {1, 5, 9};
static unsigned state = 1;

static int below(int n) {
    state = state * 1103515245u + 12345u;
    return (int)(state >> 8) % n;
}

/* Seals or opens `len` bytes in parts that chance cuts, `ad_len` bytes of associated data among them. */
static int in_parts(ae_ctx *ctx, int open, const unsigned char *from, int len, int ad_len, unsigned char *to,
                    unsigned char *tag, int again) {
    int at = 0, ad_at = 0, first = 1, given, tag_len = tag ? 0 : 16;
    for (;;) {
        int last = below(4) == 0, part = below(40) * 16 % (len - at + 1), ads = below(ad_len - ad_at + 1);
        part -= part % 16;
        if (last) part = len - at, ads = ad_len - ad_at;
        if (again) ads = first ? -1 : 0;
        given = open ? ae_decrypt(ctx, first ? NONCE : NULL, from + at, part + (last ? tag_len : 0), ad + ad_at, ads,
                                  to + at, last ? tag : NULL, last)
                     : ae_encrypt(ctx, first ? NONCE : NULL, from + at, part, ad + ad_at, ads, to + at,
                                  last ? tag : NULL, last);
        /* A message of one part is whole, and its beginning and end at once: that is good too. */
        if (given < 0) return given;
        CHECK(given == part + (last && !open ? tag_len : 0));
        at += part, first = 0;
        if (!again) ad_at += ads;
        if (last) return at;
    }
}

static void same_as_whole(ae_ctx *ctx, int tag_len) {
    unsigned char tag[16], whole[16];
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, KEY, 16, 12, tag_len), AE_SUCCESS);
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_SUCCESS);
    for (int i = 0; i < 1500; i++) {
        int len = below(i % 50 ? 700 : MOST), ad_len = below(i % 3 ? 200 : 1), again = i % 5 == 0;
        GIVES(ae_encrypt(ctx, NONCE, message, len, ad, ad_len, sealed, whole, AE_FINALIZE), len);
        /* Apart. */
        GIVES(in_parts(ctx, 0, message, len, ad_len, out, tag, again), len);
        CHECK(memcmp(out, sealed, (size_t)len) == 0 && memcmp(tag, whole, (size_t)tag_len) == 0);
        /* In place. */
        memcpy(out, message, (size_t)len);
        GIVES(in_parts(ctx, 0, out, len, ad_len, out, tag, again), len);
        CHECK(memcmp(out, sealed, (size_t)len) == 0 && memcmp(tag, whole, (size_t)tag_len) == 0);
        /* What all those parts brought can be taken again by one call. */
        GIVES(ae_decrypt(ctx, NONCE, sealed, len, NULL, -1, back, whole, AE_FINALIZE), len);
        GIVES(in_parts(ctx, 1, sealed, len, ad_len, back, whole, again), len);
        CHECK(memcmp(back, message, (size_t)len) == 0);
        GIVES(in_parts(ctx, 1, out, len, ad_len, out, tag, 0), len);
        CHECK(memcmp(out, message, (size_t)len) == 0);
        /* A forgery is found at the end, wherever it is. */
        memcpy(out, sealed, (size_t)len);
        memcpy(tag, whole, (size_t)tag_len);
        if (len && i % 2) out[below(len)] ^= 4;
        else tag[below(tag_len)] ^= 4;
        GIVES(in_parts(ctx, 1, out, len, ad_len, back, tag, 0), AE_INVALID);
        if (ad_len) {
            ad[below(ad_len)] ^= 1;
            GIVES(in_parts(ctx, 1, sealed, len, ad_len, back, whole, 0), AE_INVALID);
            ad[below(ad_len)] ^= 2;
        }
        if (tag_len == 16) {
            GIVES(in_parts(ctx, 0, message, len, ad_len, out, NULL, 0), len);
            GIVES(in_parts(ctx, 1, out, len, ad_len, back, NULL, 0), len);
            CHECK(memcmp(back, message, (size_t)len) == 0);
        }
    }
}

/* Known answers of RFC 7253, cut at every block. */
static void answers(ae_ctx *ctx) {
    unsigned char data[40], nonce[12], expected[56];
    unhex("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F2021222324252627", data);
    unhex("BBAA9988776655443322110D", nonce);
    unhex("D5CA91748410C1751FF8A2F618255B68A0A12E093FF454606E59F9C1D0DDC54B65E8628E568BAD7AED07BA06A4A69483"
          "A7035490C5769E60", expected);
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, data, 16, 12, 16), AE_SUCCESS);
    for (int cut = 0; cut <= 40; cut += 16)
        for (int cut_ad = 0; cut_ad <= 40; cut_ad++) {
            memset(out, 0, 56);
            GIVES(ae_encrypt(ctx, nonce, data, cut, data, cut_ad, out, NULL, AE_PENDING), cut);
            GIVES(ae_encrypt(ctx, NULL, data + cut, 40 - cut, data + cut_ad, 40 - cut_ad, out + cut, NULL, AE_FINALIZE),
                  56 - cut);
            CHECK(memcmp(out, expected, 56) == 0);
        }
}

#define REFUSES(...) GIVES(ae_encrypt(ctx, __VA_ARGS__), AE_NOT_SUPPORTED)
#define BEGINS() GIVES(ae_encrypt(ctx, NONCE, message, 32, ad, 5, out, NULL, AE_PENDING), 32)
/* The message that was begun is over. */
#define OVER() REFUSES(NULL, message, 16, NULL, 0, out, NULL, AE_FINALIZE)

/* What an ae_init over a message under way leaves on the heap, since nobody cleared the context, stays there: its
 * context's bytes are kept, so that what checks for leaks finds where. */
static void kept(const ae_ctx *ctx) {
    static uint64_t old[16][1024];
    static size_t count = 0;
    const unsigned char *at = (const unsigned char *)(const void *)ctx;
    size_t before = (64 - (uintptr_t)at % 64) % 64;
    CHECK(count < 16);
    memcpy(old[count++], at + before, (size_t)ae_ctx_sizeof() - before);
}

static void misuse(ae_ctx *ctx) {
    unsigned char tag[16], copied[8192];
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, KEY, 32, 12, 16), AE_SUCCESS);
    /* Without a beginning, and behind the end. */
    memset(out, 7, 32);
    REFUSES(NULL, message, 32, NULL, 0, out, NULL, AE_PENDING);
    CHECK(all_are(out, 32, 0));
    REFUSES(NULL, message, 32, NULL, 0, out, tag, AE_FINALIZE);
    BEGINS();
    GIVES(ae_encrypt(ctx, NULL, message, 5, NULL, 0, out, NULL, AE_FINALIZE), 21);
    OVER();
    GIVES(ae_encrypt(ctx, NONCE, message, 5, NULL, 0, out, NULL, AE_FINALIZE), 21);
    OVER();
    /* Each refusal ends a message, and its output is zero. */
    BEGINS();
    memset(out, 7, 32);
    REFUSES(NULL, message, 31, NULL, 0, out, NULL, AE_PENDING);
    CHECK(all_are(out, 31, 0) && out[31] == 7);
    OVER();
    BEGINS();
    REFUSES(NULL, message, -1, NULL, 0, out, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, message, 16, NULL, -1, out, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, message, 16, NULL, 3, out, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, NULL, 16, NULL, 0, out, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, message, 16, NULL, 0, NULL, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, out + 1, 16, NULL, 0, out, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, message, 16, out + 15, 16, out, NULL, AE_PENDING);
    OVER();
    BEGINS();
    REFUSES(NULL, message, 16, NULL, 0, out, out + 15, AE_FINALIZE);
    OVER();
    REFUSES(NONCE, message, 8, NULL, 0, out, NULL, AE_PENDING);
    OVER();
    REFUSES((unsigned char *)out + 3, message, 16, NULL, 0, out, NULL, AE_PENDING);
    OVER();
    /* Two directions are two messages; decryption in parts is not allowed yet. */
    BEGINS();
    memset(back, 7, 32);
    GIVES(ae_decrypt(ctx, NULL, out, 32, NULL, 0, back, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    CHECK(all_are(back, 32, 0));
    OVER();
    GIVES(ae_decrypt(ctx, NONCE, out, 32, NULL, 0, back, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_SUCCESS);
    BEGINS();
    GIVES(ae_decrypt(ctx, NULL, out, 32, NULL, 0, back, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    OVER();
    /* To allow or forbid it loses a message too. */
    GIVES(ae_decrypt(ctx, NONCE, out, 32, NULL, 0, back, NULL, AE_PENDING), 32);
    GIVES(ae_allow_unverified_plaintext(ctx, 0), AE_SUCCESS);
    GIVES(ae_decrypt(ctx, NULL, out, 32, NULL, 0, back, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_decrypt(ctx, NONCE, out, 32, NULL, 0, back, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    GIVES(ae_allow_unverified_plaintext(NULL, 1), AE_NOT_SUPPORTED);
    /* Less than a tag in the last part, and a tag that is wrong: the last part's place is zero. */
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_SUCCESS);
    GIVES(ae_decrypt(ctx, NONCE, out, 32, NULL, 0, back, NULL, AE_PENDING), 32);
    GIVES(ae_decrypt(ctx, NULL, out, 15, NULL, 0, back, NULL, AE_FINALIZE), AE_INVALID);
    GIVES(ae_decrypt(ctx, NULL, out, 15, NULL, 0, back, tag, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_decrypt(ctx, NONCE, out, 32, NULL, 0, back, NULL, AE_PENDING), 32);
    memset(back, 7, 100);
    GIVES(ae_decrypt(ctx, NULL, message, 100, NULL, 0, back, NULL, AE_FINALIZE), AE_INVALID);
    CHECK(all_are(back, 84, 0) && all_are(back + 84, 16, 7));
    /* A whole message between two parts is a new one, and the old one is lost. */
    BEGINS();
    GIVES(ae_encrypt(ctx, NONCE, message, 40, NULL, 0, sealed, NULL, AE_FINALIZE), 56);
    OVER();
    BEGINS();
    GIVES(ae_decrypt(ctx, NONCE, sealed, 56, NULL, 0, back, NULL, AE_FINALIZE), 40);
    OVER();
    /* ae_init takes it away, and what was allowed. */
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, KEY, 32, 12, 16), AE_SUCCESS);
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_SUCCESS);
    GIVES(ae_encrypt(ctx, NONCE, message, 32, NULL, 0, out, NULL, AE_PENDING), 32);
    kept(ctx);
    GIVES(ae_init(ctx, KEY, 32, 12, 16), AE_SUCCESS);
    OVER();
    GIVES(ae_decrypt(ctx, NONCE, out, 32, NULL, 0, back, NULL, AE_PENDING), AE_NOT_SUPPORTED);
    /* But not where it fails: the context is as it was. */
    BEGINS();
    GIVES(ae_init(ctx, KEY, 31, 12, 16), AE_NOT_SUPPORTED);
    GIVES(ae_encrypt(ctx, NULL, message, 5, NULL, 0, out, NULL, AE_FINALIZE), 21);
    /* A copy of a context with a message under way is none, and the original goes on. */
    BEGINS();
    CHECK((size_t)ae_ctx_sizeof() < sizeof copied);
    memcpy(copied, (void *)ctx, (size_t)ae_ctx_sizeof());
    GIVES(ae_encrypt((ae_ctx *)(void *)copied, NULL, message, 5, NULL, 0, sealed, NULL, AE_FINALIZE), AE_NOT_SUPPORTED);
    GIVES(ae_encrypt((ae_ctx *)(void *)(copied + 1), NULL, message, 5, NULL, 0, sealed, NULL, AE_FINALIZE),
          AE_NOT_SUPPORTED);
    GIVES(ae_encrypt(ctx, NULL, message, 5, NULL, 0, out, NULL, AE_FINALIZE), 21);
    /* Cleared in the middle. */
    BEGINS();
    GIVES(ae_clear(ctx), AE_SUCCESS);
    OVER();
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_NOT_SUPPORTED);
}

/* Buffers that end where memory ends. */
static void edges(ae_ctx *ctx) {
    unsigned char *nonce = guarded(12), *tag = guarded(16);
    GIVES(ae_clear(ctx), AE_SUCCESS);
    GIVES(ae_init(ctx, KEY, 16, 12, 16), AE_SUCCESS);
    GIVES(ae_allow_unverified_plaintext(ctx, 1), AE_SUCCESS);
    memcpy(nonce, NONCE, 12);
    for (int len = 0; len < 300; len += len < 80 ? 1 : 37) {
        int cut = len / 2 - len / 2 % 16;
        unsigned char *a = guarded((size_t)cut), *b = guarded((size_t)(len - cut)), *head = guarded((size_t)(len % 40));
        unsigned char *both = guarded((size_t)(len - cut) + 16);
        memset(a, 1, (size_t)cut), memset(b, 2, (size_t)(len - cut)), memset(head, 3, (size_t)(len % 40));
        GIVES(ae_encrypt(ctx, nonce, a, cut, head, len % 40, a, NULL, AE_PENDING), cut);
        GIVES(ae_encrypt(ctx, NULL, b, len - cut, head, len % 40, both, NULL, AE_FINALIZE), len - cut + 16);
        memcpy(tag, both + (len - cut), 16);
        GIVES(ae_decrypt(ctx, nonce, a, cut, head, len % 40, a, NULL, AE_PENDING), cut);
        GIVES(ae_decrypt(ctx, NULL, both, len - cut, head, len % 40, b, tag, AE_FINALIZE), len - cut);
        CHECK(all_are(a, (size_t)cut, 1) && all_are(b, (size_t)(len - cut), 2));
    }
}

int main(void) {
    int size = ae_ctx_sizeof();
    unsigned char *memory = (unsigned char *)malloc((size_t)size + 64);
    ae_ctx *ctx = ae_allocate(NULL);
    CHECK(ctx != NULL && memory != NULL);
    for (int i = 0; i < MOST; i++) message[i] = (unsigned char)(i * 7 + i / 256);
    for (int i = 0; i < 200; i++) ad[i] = (unsigned char)(i * 3);
    answers(ctx);
    same_as_whole(ctx, 16);
    same_as_whole(ctx, 9);
    misuse(ctx);
    edges(ctx);
    /* Freed in the middle of a message. */
    BEGINS();
    ae_free(ctx);
    /* In memory of the caller's, at any address; and cleared in the middle nothing is left. */
    for (size_t shift = 0; shift < 64; shift += 7) {
        memset(memory, 0, (size_t)size + 64);
        ctx = (ae_ctx *)(void *)(memory + shift);
        answers(ctx);
        misuse(ctx);
        GIVES(ae_init(ctx, KEY, 16, 12, 16), AE_SUCCESS);
        BEGINS();
        GIVES(ae_clear(ctx), AE_SUCCESS);
        CHECK(all_are(memory, (size_t)size + 64, 0));
    }
    free(memory);
    return 0;
}

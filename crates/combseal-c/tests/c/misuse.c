/* What callers do wrong: NULL, lengths of 0, of wrong numbers and of absurd ones, buffers that overlap
 * at every distance, objects that do not live. Each is an error of its own, and the output is zero. */
#include "combseal.h"
#include "test.h"

static const uint8_t KEY[32] = {1, 2, 3}, NONCE[12] = {4}, AD[20] = {5};

static combseal_key *new_key(const char *algorithm) {
    combseal_key *key;
    GIVES(combseal_key_new(&key, algorithm, KEY, combseal_algorithm_key_len(algorithm)), 0);
    return key;
}

static void keys(void) {
    combseal_key *key = (combseal_key *)KEY;
    GIVES(combseal_key_new(NULL, "OCB3-AES-128", KEY, 16), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_new(&key, NULL, KEY, 16), COMBSEAL_ERROR_NULL);
    CHECK(key == NULL);
    GIVES(combseal_key_new(&key, "OCB3-AES-129", KEY, 16), COMBSEAL_ERROR_UNKNOWN_NAME);
    GIVES(combseal_key_new(&key, "\xff", KEY, 16), COMBSEAL_ERROR_UNKNOWN_NAME);
    GIVES(combseal_key_new(&key, "OCB3-AES-128", NULL, 16), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_new(&key, "OCB3-AES-128", NULL, 0), COMBSEAL_ERROR_KEY_LENGTH);
    GIVES(combseal_key_new(&key, "OCB3-AES-128", KEY, SIZE_MAX), COMBSEAL_ERROR_BUFFER_LENGTH);
    for (size_t len = 0; len <= 32; len++) {
        GIVES(combseal_key_new(&key, "OCB3-AES-128", KEY, len), len == 16 ? 0 : COMBSEAL_ERROR_KEY_LENGTH);
        CHECK((key != NULL) == (len == 16));
        combseal_key_free(key);
    }
    for (size_t len = 0; len <= 40; len++) {
        int good = len >= 8 && len <= 16, nonce = len >= 6 && len <= 15;
        GIVES(combseal_key_new_with(&key, "OCB3-AES-128", KEY, 16, len, COMBSEAL_USUAL, NULL),
              good ? 0 : COMBSEAL_ERROR_TAG_LENGTH);
        CHECK(combseal_key_tag_len(key) == (good ? len : 0));
        combseal_key_free(key);
        GIVES(combseal_key_new_with(&key, "OCB3-AES-128", KEY, 16, COMBSEAL_USUAL, len, NULL),
              nonce ? 0 : COMBSEAL_ERROR_NONCE_LENGTH);
        CHECK(combseal_key_nonce_len(key) == (nonce ? len : 0));
        combseal_key_free(key);
    }
    GIVES(combseal_key_new_with(&key, "OCB3-AES-128", KEY, 16, 16, 12, "none"), COMBSEAL_ERROR_UNKNOWN_NAME);
    combseal_key_free(NULL);
    CHECK(combseal_key_algorithm(NULL) == NULL && combseal_key_tier(NULL) == NULL);
    CHECK(combseal_key_tag_len(NULL) == 0 && combseal_key_nonce_len(NULL) == 0);
    CHECK(combseal_algorithm_key_len(NULL) == 0 && combseal_algorithm_name(1000) == NULL);
    CHECK(combseal_algorithm_name(SIZE_MAX) == NULL && combseal_tier_name(SIZE_MAX) == NULL);
}

/* An object in memory of the caller's; what does not live is told by its mark. */
static void places(void) {
    unsigned char room[COMBSEAL_KEY_ROOM + COMBSEAL_ALIGN], out[16], tag[16];
    size_t size = combseal_key_sizeof(), align = combseal_key_alignof();
    unsigned char *place = room + (COMBSEAL_ALIGN - (uintptr_t)room % COMBSEAL_ALIGN) % COMBSEAL_ALIGN;
    combseal_key *key = (combseal_key *)(void *)place;
    combseal_limits limits;
    CHECK(size <= COMBSEAL_KEY_ROOM && align <= COMBSEAL_ALIGN);
    CHECK(combseal_sealer_sizeof() <= COMBSEAL_SEALER_ROOM && combseal_sealer_alignof() <= COMBSEAL_ALIGN);
    CHECK(combseal_opener_sizeof() <= COMBSEAL_OPENER_ROOM && combseal_opener_alignof() <= COMBSEAL_ALIGN);
    CHECK(combseal_counter_sizeof() <= COMBSEAL_COUNTER_ROOM && combseal_counter_alignof() <= COMBSEAL_ALIGN);
    memset(room, 0xa5, sizeof room);
    GIVES(combseal_key_init(NULL, size, "OCB3-AES-128", KEY, 16, 16, 12, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_init(place, size - 1, "OCB3-AES-128", KEY, 16, 16, 12, NULL), COMBSEAL_ERROR_PLACE);
    GIVES(combseal_key_init(place + 1, size, "OCB3-AES-128", KEY, 16, 16, 12, NULL), COMBSEAL_ERROR_PLACE);
    CHECK(all_are(room, sizeof room, 0xa5));
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, KEY, 16, out, tag, 16), COMBSEAL_ERROR_HANDLE);
    /* The place is zeroed first: a key there would be one of zeros. */
    GIVES(combseal_key_init(place, size, "OCB3-AES-128", place + size - 1, 16, 16, 12, NULL), COMBSEAL_ERROR_OVERLAP);
    CHECK(all_are(room, sizeof room, 0xa5));
    GIVES(combseal_key_init(place, size, "OCB3-AES-128", KEY, 15, 16, 12, NULL), COMBSEAL_ERROR_KEY_LENGTH);
    CHECK(all_are(place, size, 0));
    GIVES(combseal_key_init(place, size, "OCB3-AES-128", KEY, 16, 16, 12, NULL), 0);
    CHECK(all_are(place + size, (size_t)(room + sizeof room - place) - size, 0xa5));
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, KEY, 16, out, tag, 16), 0);
    GIVES(combseal_key_limits(key, &limits), 0);
    CHECK(limits.key_blocks == (uint64_t)1 << 48);
    GIVES(combseal_key_limits(key, NULL), COMBSEAL_ERROR_NULL);
    /* A key is no sealer, and an address within it is nothing. */
    GIVES(combseal_sealer_seal((combseal_sealer *)(void *)place, AD, 20, KEY, 16, out, tag, 16, NULL, 0),
          COMBSEAL_ERROR_HANDLE);
    GIVES(combseal_seal((combseal_key *)(void *)(place + 8), NONCE, 12, AD, 20, KEY, 16, out, tag, 16),
          COMBSEAL_ERROR_HANDLE);
    combseal_sealer_free((combseal_sealer *)(void *)place);
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, KEY, 16, out, tag, 16), 0);
    combseal_key_free(key);
    CHECK(all_are(place, size, 0));
    CHECK(all_are(place + size, (size_t)(room + sizeof room - place) - size, 0xa5));
    /* In the caller's memory a second time is harmless. */
    combseal_key_free(key);
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, KEY, 16, out, tag, 16), COMBSEAL_ERROR_HANDLE);
    GIVES(combseal_key_limits(key, &limits), COMBSEAL_ERROR_HANDLE);
    CHECK(all_are(&limits, sizeof limits, 0));
    /* A copy of a key is none, wherever the key was made; to free it does nothing. */
    combseal_key *made = new_key("OCB3-AES-128");
    memcpy(place, (const void *)made, size);
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, KEY, 16, out, tag, 16), COMBSEAL_ERROR_HANDLE);
    combseal_key_free(key);
    GIVES(combseal_seal(made, NONCE, 12, AD, 20, KEY, 16, out, tag, 16), 0);
    combseal_key_free(made);
}

/* Each pointer NULL, each length wrong; the output is zero. */
static void arguments(combseal_key *key) {
    unsigned char in[40], out[40], tag[16];
    const struct {
        const combseal_key *key;
        const uint8_t *nonce;
        size_t nonce_len;
        const uint8_t *ad;
        size_t ad_len;
        const uint8_t *in;
        size_t len;
        size_t tag_len;
        int code;
    } calls[] = {
        {NULL, NONCE, 12, AD, 20, in, 40, 16, COMBSEAL_ERROR_NULL},
        {key, NULL, 12, AD, 20, in, 40, 16, COMBSEAL_ERROR_NULL},
        {key, NONCE, 11, AD, 20, in, 40, 16, COMBSEAL_ERROR_NONCE_LENGTH},
        {key, NULL, 0, AD, 20, in, 40, 16, COMBSEAL_ERROR_NONCE_LENGTH},
        {key, NONCE, SIZE_MAX, AD, 20, in, 40, 16, COMBSEAL_ERROR_BUFFER_LENGTH},
        {key, NONCE, (size_t)1 << (8 * sizeof(size_t) - 1), AD, 20, in, 40, 16, COMBSEAL_ERROR_BUFFER_LENGTH},
        {key, NONCE, 12, NULL, 20, in, 40, 16, COMBSEAL_ERROR_NULL},
        {key, NONCE, 12, AD, SIZE_MAX, in, 40, 16, COMBSEAL_ERROR_BUFFER_LENGTH},
        {key, NONCE, 12, AD, 20, NULL, 40, 16, COMBSEAL_ERROR_NULL},
        {key, NONCE, 12, AD, 20, in, 40, 15, COMBSEAL_ERROR_TAG_LENGTH},
        {key, NONCE, 12, AD, 20, in, 40, 0, COMBSEAL_ERROR_TAG_LENGTH},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        memset(in, 7, 40), memset(out, 8, 40), memset(tag, 9, 16);
        GIVES(combseal_seal(calls[i].key, calls[i].nonce, calls[i].nonce_len, calls[i].ad, calls[i].ad_len,
                            calls[i].in, 40, out, tag, calls[i].tag_len), calls[i].code);
        CHECK(all_are(out, 40, 0) && all_are(tag, calls[i].tag_len, 0));
        memset(out, 8, 40);
        GIVES(combseal_open(calls[i].key, calls[i].nonce, calls[i].nonce_len, calls[i].ad, calls[i].ad_len,
                            calls[i].in, 40, out, tag, calls[i].tag_len), calls[i].code);
        CHECK(all_are(out, 40, 0) && all_are(in, 40, 7));
    }
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, in, 40, NULL, tag, 16), COMBSEAL_ERROR_NULL);
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, in, 40, out, NULL, 16), COMBSEAL_ERROR_NULL);
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, in, SIZE_MAX, out, tag, 16), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_seal(key, NONCE, 12, AD, 20, NULL, SIZE_MAX / 2 + 1, NULL, tag, 16), COMBSEAL_ERROR_NULL);
    GIVES(combseal_open(key, NONCE, 12, AD, 20, in, 40, out, NULL, 16), COMBSEAL_ERROR_NULL);
    GIVES(combseal_open(key, NONCE, 12, AD, 20, in, 40, NULL, tag, 16), COMBSEAL_ERROR_NULL);
    /* In place nothing is left of the plaintext either. */
    memset(in, 7, 40);
    GIVES(combseal_seal(key, NONCE, 11, AD, 20, in, 40, in, tag, 16), COMBSEAL_ERROR_NONCE_LENGTH);
    CHECK(all_are(in, 40, 0));
    /* No message, no associated data. */
    GIVES(combseal_seal(key, NONCE, 12, NULL, 0, NULL, 0, NULL, tag, 16), 0);
    GIVES(combseal_open(key, NONCE, 12, NULL, 0, NULL, 0, NULL, tag, 16), 0);
    GIVES(combseal_open(key, NONCE, 12, AD, 1, NULL, 0, NULL, tag, 16), COMBSEAL_ERROR_FORGED);
}

static void attached(combseal_key *key) {
    unsigned char in[64], out[64];
    size_t written = 99;
    memset(in, 7, 64), memset(out, 8, 64);
    GIVES(combseal_seal_attached(key, NONCE, 12, AD, 20, in, 40, out, 55, &written), COMBSEAL_ERROR_BUFFER_LENGTH);
    CHECK(written == 0 && all_are(out, 55, 0) && all_are(out + 55, 9, 8));
    GIVES(combseal_seal_attached(key, NONCE, 12, AD, 20, in, 40, NULL, 56, &written), COMBSEAL_ERROR_NULL);
    GIVES(combseal_seal_attached(key, NONCE, 12, AD, 20, in, SIZE_MAX - 3, out, 64, &written),
          COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_seal_attached(key, NONCE, 12, AD, 20, in, 40, out, SIZE_MAX, &written),
          COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_seal_attached(NULL, NONCE, 12, AD, 20, in, 40, out, 64, NULL), COMBSEAL_ERROR_NULL);
    CHECK(all_are(out, 64, 0));
    GIVES(combseal_seal_attached(key, NONCE, 12, AD, 20, in, 40, out, 64, &written), 0);
    CHECK(written == 56 && all_are(out + 56, 8, 0));
    for (size_t len = 0; len < 56; len++) {
        memset(in, 7, 64);
        GIVES(combseal_open_attached(key, NONCE, 12, AD, 20, out, len, in, 64, &written),
              len < 16 ? COMBSEAL_ERROR_BUFFER_LENGTH : COMBSEAL_ERROR_FORGED);
        CHECK(written == 0 && all_are(in, 64, 0));
    }
    GIVES(combseal_open_attached(key, NONCE, 12, AD, 20, out, 56, in, 39, &written), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_open_attached(key, NONCE, 12, AD, 20, NULL, 56, in, 64, &written), COMBSEAL_ERROR_NULL);
    GIVES(combseal_open_attached(key, NONCE, 12, AD, 20, out, SIZE_MAX, in, 64, &written),
          COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_open_attached(key, NONCE, 12, AD, 20, out, 56, in, 40, &written), 0);
    CHECK(written == 40 && all_are(in, 40, 7));
}

/* Output against input, tag, nonce and associated data, at every distance from -64 to 64. */
static void overlaps(combseal_key *key) {
    unsigned char memory[256], other[40], tag[16];
    for (int d = -64; d <= 64; d++) {
        unsigned char *a = memory + 96, *b = memory + 96 + d;
        int apart = d >= 40 || d <= -40, near_tag = d > -16 && d < 40, near_nonce = d > -12 && d < 40;
        int near_ad = d > -20 && d < 40;
        memset(memory, 3, sizeof memory), memset(other, 6, 40);
        GIVES(combseal_seal(key, NONCE, 12, AD, 20, b, 40, a, tag, 16), apart || d == 0 ? 0 : COMBSEAL_ERROR_OVERLAP);
        GIVES(combseal_seal(key, NONCE, 12, AD, 20, other, 40, a, b, 16), near_tag ? COMBSEAL_ERROR_OVERLAP : 0);
        GIVES(combseal_seal(key, NONCE, 12, AD, 20, a, 40, other, b, 16), near_tag ? COMBSEAL_ERROR_OVERLAP : 0);
        GIVES(combseal_seal(key, b, 12, AD, 20, other, 40, a, tag, 16), near_nonce ? COMBSEAL_ERROR_OVERLAP : 0);
        GIVES(combseal_seal(key, NONCE, 12, b, 20, other, 40, a, tag, 16), near_ad ? COMBSEAL_ERROR_OVERLAP : 0);
        GIVES(combseal_seal(key, NONCE, 12, b, 20, other, 40, other, a, 16),
              d > -20 && d < 16 ? COMBSEAL_ERROR_OVERLAP : 0);
        memset(other, 5, 40);
        GIVES(combseal_open(key, NONCE, 12, AD, 20, b, 40, a, tag, 16),
              apart || d == 0 ? COMBSEAL_ERROR_FORGED : COMBSEAL_ERROR_OVERLAP);
        CHECK(all_are(a, 40, 0));
        GIVES(combseal_open(key, NONCE, 12, AD, 20, other, 40, a, b, 16),
              near_tag ? COMBSEAL_ERROR_OVERLAP : COMBSEAL_ERROR_FORGED);
        GIVES(combseal_open(key, b, 12, AD, 20, other, 40, a, tag, 16),
              near_nonce ? COMBSEAL_ERROR_OVERLAP : COMBSEAL_ERROR_FORGED);
        GIVES(combseal_open(key, NONCE, 12, b, 20, other, 40, a, tag, 16),
              near_ad ? COMBSEAL_ERROR_OVERLAP : COMBSEAL_ERROR_FORGED);
        /* Attached, the output is 56 bytes long. */
        GIVES(combseal_seal_attached(key, NONCE, 12, AD, 20, b, 40, a, 56, NULL),
              d == 0 || d >= 56 || d <= -40 ? 0 : COMBSEAL_ERROR_OVERLAP);
    }
}

/* Buffers that end where memory ends, of every short length and some long ones. */
static void edges(combseal_key *key) {
    for (size_t len = 0; len < 600; len += len < 80 ? 1 : 37) {
        unsigned char *in = guarded(len), *out = guarded(len), *tag = guarded(16), *nonce = guarded(12);
        unsigned char *ad = guarded(len % 40), *both = guarded(len + 16);
        memset(in, 1, len), memset(nonce, 2, 12), memset(ad, 3, len % 40);
        GIVES(combseal_seal(key, nonce, 12, ad, len % 40, in, len, out, tag, 16), 0);
        GIVES(combseal_seal_attached(key, nonce, 12, ad, len % 40, in, len, both, len + 16, NULL), 0);
        CHECK(memcmp(both, out, len) == 0 && memcmp(both + len, tag, 16) == 0);
        GIVES(combseal_open(key, nonce, 12, ad, len % 40, out, len, out, tag, 16), 0);
        CHECK(all_are(out, len, 1));
    }
}

int main(void) {
    const char *names[] = {"OCB3-AES-128", "AES-256-GCM"};
    keys();
    places();
    for (size_t i = 0; i < 2; i++) {
        combseal_key *key = new_key(names[i]);
        arguments(key);
        attached(key);
        overlaps(key);
        edges(key);
        combseal_key_free(key);
    }
    CHECK(strcmp(combseal_error_name(COMBSEAL_ERROR_FORGED), "COMBSEAL_ERROR_FORGED") == 0);
    CHECK(strcmp(combseal_strerror(0), "success") == 0 && combseal_strerror(12345) != NULL);
    CHECK(strcmp(combseal_version(), COMBSEAL_VERSION) == 0);
    return 0;
}

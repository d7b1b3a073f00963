/* Sealers and openers: nonces that count, replays, limits, restarts, memory of the caller's. */
#include "combseal.h"
#include "test.h"

static const uint8_t KEY[32] = {9}, AD[3] = "ad";

static void packets(const combseal_key *key, int form, const uint8_t *base, size_t base_len) {
    combseal_sealer *sealer;
    combseal_opener *opener;
    unsigned char packet[100], copy[100], nonce[12], first[12], tag[16], apart[84];
    size_t written;
    GIVES(combseal_sealer_new_with(&sealer, key, form, base, base_len, 0, 0), 0);
    GIVES(combseal_opener_new(&opener, key, form, base, base_len), 0);
    for (unsigned i = 0; i < 70; i++) {
        uint64_t used = combseal_sealer_blocks_used(sealer);
        CHECK(combseal_sealer_next_counter(sealer) == i);
        memset(packet, (int)i, 84);
        GIVES(combseal_sealer_seal_attached(sealer, AD, 3, packet, 84, packet, 100, &written, nonce, 12), 0);
        CHECK(written == 100 && combseal_sealer_blocks_used(sealer) == used + 6 + 1 + 2);
        if (i == 0) memcpy(first, nonce, 12);
        CHECK((memcmp(first, nonce, 12) == 0) == (i == 0) && (first[11] ^ nonce[11]) == (i & 0xff));
        memcpy(copy, packet, 100);
        packet[3] ^= 1;
        GIVES(combseal_opener_open_attached(opener, nonce, 12, AD, 3, packet, 100, packet, 84, &written),
              COMBSEAL_ERROR_FORGED);
        CHECK(combseal_opener_forgeries(opener) == i + 1 && all_are(packet, 84, 0) && written == 0);
        memcpy(packet, copy, 100);
        GIVES(combseal_opener_open(opener, nonce, 12, AD, 3, packet, 84, apart, packet + 84, 16), 0);
        CHECK(all_are(apart, 84, (unsigned char)i));
        GIVES(combseal_opener_open_attached(opener, nonce, 12, AD, 3, packet, 100, packet, 84, &written),
              COMBSEAL_ERROR_REPLAYED);
        CHECK(all_are(packet, 84, 0) && written == 0);
    }
    /* Apart, with the tag apart, and without the nonce. */
    GIVES(combseal_sealer_seal(sealer, NULL, 0, packet, 84, apart, tag, 16, NULL, 0), 0);
    CHECK(combseal_sealer_next_counter(sealer) == 71);
    /* What fails uses no nonce. */
    memset(nonce, 1, 12);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, packet, 84, apart, tag, 15, nonce, 12), COMBSEAL_ERROR_TAG_LENGTH);
    CHECK(all_are(apart, 84, 0) && all_are(tag, 15, 0) && all_are(nonce, 12, 0));
    GIVES(combseal_sealer_seal(sealer, NULL, 0, packet, 84, apart, tag, 16, nonce, 11), COMBSEAL_ERROR_NONCE_LENGTH);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, packet, 84, apart, tag, 16, apart + 10, 12), COMBSEAL_ERROR_OVERLAP);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, packet, 84, apart, tag, 16, packet + 10, 12), COMBSEAL_ERROR_OVERLAP);
    GIVES(combseal_sealer_seal(sealer, nonce, 12, packet, 84, apart, tag, 16, nonce, 12), COMBSEAL_ERROR_OVERLAP);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, packet, 84, apart, tag, 16, NULL, 12), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_seal_attached(sealer, NULL, 0, packet, 84, packet, 99, &written, nonce, 12),
          COMBSEAL_ERROR_BUFFER_LENGTH);
    CHECK(all_are(packet, 99, 0) && all_are(nonce, 12, 0) && combseal_sealer_next_counter(sealer) == 71);
    /* A nonce of another length, or of another sender. */
    GIVES(combseal_opener_open(opener, nonce, 11, AD, 3, packet, 84, apart, tag, 16), COMBSEAL_ERROR_NONCE_LENGTH);
    if (form == COMBSEAL_PREFIX) {
        memset(nonce, 0xee, 12);
        GIVES(combseal_opener_open(opener, nonce, 12, AD, 3, packet, 84, apart, tag, 16), COMBSEAL_ERROR_NONCE_PREFIX);
    }
    combseal_sealer_free(sealer);
    combseal_opener_free(opener);
}

/* What is written against all else, at every distance from -64 to 64, those where two buffers touch among them. */
static void overlaps(const combseal_key *key) {
    combseal_sealer *sealer;
    combseal_opener *opener;
    unsigned char memory[256] = {3}, other[40] = {6}, tag[16], nonce[12];
    GIVES(combseal_sealer_new(&sealer, key, (const uint8_t *)"d-> ", 4), 0);
    GIVES(combseal_opener_new(&opener, key, COMBSEAL_ANY, NULL, 0), 0);
#define SEALS(near, ...) GIVES(combseal_sealer_seal(sealer, __VA_ARGS__), (near) ? COMBSEAL_ERROR_OVERLAP : 0)
#define OPENS(near, ...) \
    GIVES(combseal_opener_open(opener, __VA_ARGS__), (near) ? COMBSEAL_ERROR_OVERLAP : COMBSEAL_ERROR_FORGED)
    for (int d = -64; d <= 64; d++) {
        unsigned char *a = memory + 96, *b = memory + 96 + d;
        int near = d != 0 && d > -40 && d < 40, near_tag = d > -16 && d < 40, near_nonce = d > -12 && d < 40;
        int near_ad = d > -3 && d < 40;
        memset(other, 6, 40), memset(memory, 3, sizeof memory);
        SEALS(near, AD, 3, b, 40, a, tag, 16, nonce, 12);
        SEALS(near_tag, AD, 3, other, 40, a, b, 16, nonce, 12);
        SEALS(near_tag, AD, 3, a, 40, other, b, 16, NULL, 0);
        SEALS(near_nonce, AD, 3, other, 40, a, tag, 16, b, 12);
        SEALS(near_nonce, AD, 3, a, 40, other, tag, 16, b, 12);
        SEALS(near_ad, b, 3, other, 40, a, tag, 16, NULL, 0);
        SEALS(d > -12 && d < 16, AD, 3, other, 40, other, a, 16, b, 12);
        SEALS(d > -12 && d < 3, a, 3, other, 40, other, tag, 16, b, 12);
        SEALS(d > -16 && d < 3, a, 3, other, 40, other, b, 16, nonce, 12);
        memset(other, 5, 40), memset(memory, 3, sizeof memory);
        OPENS(near, nonce, 12, AD, 3, b, 40, a, tag, 16);
        CHECK(all_are(a, 40, 0));
        OPENS(near_nonce, b, 12, AD, 3, other, 40, a, tag, 16);
        OPENS(near_ad, nonce, 12, b, 3, other, 40, a, tag, 16);
        OPENS(near_tag, nonce, 12, AD, 3, other, 40, a, b, 16);
    }
    combseal_sealer_free(sealer);
    combseal_opener_free(opener);
}

int main(void) {
    combseal_key *key;
    combseal_sealer *sealer;
    combseal_opener *opener;
    unsigned char room[COMBSEAL_SEALER_ROOM + COMBSEAL_ALIGN], out[32], tag[16];
    unsigned char *place = room + (COMBSEAL_ALIGN - (uintptr_t)room % COMBSEAL_ALIGN) % COMBSEAL_ALIGN;
    GIVES(combseal_key_new(&key, "OCB3-AES-128", KEY, 16), 0);
    packets(key, COMBSEAL_PREFIX, (const uint8_t *)"us->", 4);
    packets(key, COMBSEAL_XOR, (const uint8_t *)"a secret IV!", 12);
    overlaps(key);

    GIVES(combseal_sealer_new(&sealer, key, (const uint8_t *)"us-", 3), COMBSEAL_ERROR_PREFIX_LENGTH);
    CHECK(sealer == NULL);
    GIVES(combseal_sealer_new(&sealer, NULL, (const uint8_t *)"us->", 4), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_new(&sealer, key, NULL, 4), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_new(NULL, key, (const uint8_t *)"us->", 4), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_new_with(&sealer, key, 2, (const uint8_t *)"us->", 4, 0, 0), COMBSEAL_ERROR_OPTION);
    GIVES(combseal_opener_new(&opener, key, 2, (const uint8_t *)"us->", 4), COMBSEAL_ERROR_OPTION);
    GIVES(combseal_opener_new(&opener, key, COMBSEAL_PREFIX, (const uint8_t *)"us-", 3), COMBSEAL_ERROR_PREFIX_LENGTH);
    CHECK(opener == NULL && combseal_opener_forgeries(NULL) == 0 && combseal_sealer_next_counter(NULL) == 0);

    /* The last nonce of a key, and what comes behind it. */
    GIVES(combseal_sealer_new_with(&sealer, key, COMBSEAL_PREFIX, (const uint8_t *)"us->", 4,
                                   ((uint64_t)1 << 48) - 1, 7), 0);
    CHECK(combseal_sealer_blocks_used(sealer) == 7);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, KEY, 16, out, tag, 16, NULL, 0), 0);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, KEY, 16, out, tag, 16, NULL, 0), COMBSEAL_ERROR_EXHAUSTED);
    CHECK(all_are(out, 16, 0) && all_are(tag, 16, 0));
    combseal_sealer_free(sealer);
    GIVES(combseal_sealer_new_with(&sealer, key, COMBSEAL_PREFIX, (const uint8_t *)"us->", 4, 0, UINT64_MAX),
          COMBSEAL_ERROR_EXHAUSTED);

    /* In the caller's memory. */
    memset(room, 0xa5, sizeof room);
    GIVES(combseal_sealer_init(place, COMBSEAL_SEALER_ROOM, key, COMBSEAL_XOR, (const uint8_t *)"a secret IV!", 12, 5, 0), 0);
    sealer = (combseal_sealer *)(void *)place;
    GIVES(combseal_sealer_seal(sealer, NULL, 0, KEY, 16, out, tag, 16, NULL, 0), 0);
    CHECK(combseal_sealer_next_counter(sealer) == 6);
    combseal_sealer_free(sealer);
    CHECK(all_are(place, combseal_sealer_sizeof(), 0));
    GIVES(combseal_opener_init(place, combseal_opener_sizeof(), key, COMBSEAL_ANY, NULL, 0), 0);
    opener = (combseal_opener *)(void *)place;
    GIVES(combseal_opener_open(opener, (const uint8_t *)"any nonce...", 12, NULL, 0, out, 16, out, tag, 16),
          COMBSEAL_ERROR_FORGED);
    combseal_opener_free(opener);
    CHECK(all_are(place, combseal_opener_sizeof(), 0));
    combseal_key_free(key);
    return 0;
}

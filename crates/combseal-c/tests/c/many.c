/* Batches and columns: the same bytes as single calls, forgeries that fail alone, and faults of the
 * program that refuse all. */
#include "combseal.h"
#include "test.h"

#define JOBS 50
#define LONGEST 300

/* A job with the caller's own fields behind it. */
typedef struct {
    combseal_job job;
    unsigned char nonce[12], tag[16], ad[5];
} packet;

static unsigned char KEY[32] = {3};
static packet packets[JOBS];
static unsigned char plain[JOBS][LONGEST], sealed[JOBS][LONGEST], back[JOBS][LONGEST];

static size_t len_of(size_t i) { return i * 37 % LONGEST; }

static void fill(const combseal_key *const *keys, size_t key_count) {
    for (size_t i = 0; i < JOBS; i++) {
        packet *it = &packets[i];
        memset(it, 0, sizeof *it);
        memset(plain[i], (int)(i + 1), LONGEST);
        memset(sealed[i], 0xcc, LONGEST);
        memset(it->ad, (int)i, 5);
        it->nonce[11] = (unsigned char)i;
        it->job.key = keys[i % key_count];
        it->job.nonce = it->nonce, it->job.nonce_len = 12;
        it->job.ad = it->ad, it->job.ad_len = i % 6;
        it->job.in = plain[i], it->job.len = len_of(i);
        it->job.out = i % 3 ? sealed[i] : plain[i];
        it->job.tag = it->tag, it->job.tag_len = 16;
        it->job.result = 77;
    }
}

static void batches(combseal_batch *batch) {
    const char *names[] = {"OCB3-AES-128", "AES-128-GCM"};
    combseal_key *made[2];
    const combseal_key *keys[2];
    for (size_t i = 0; i < 2; i++) {
        GIVES(combseal_key_new(&made[i], names[i], KEY, 16), 0);
        keys[i] = made[i];
    }
    fill(keys, 2);
    GIVES(combseal_batch_seal(batch, &packets[0].job, JOBS, sizeof(packet)), 0);
    for (size_t i = 0; i < JOBS; i++) {
        unsigned char by_itself[LONGEST], tag[16];
        memset(by_itself, (int)(i + 1), LONGEST);
        CHECK(packets[i].job.result == 0);
        GIVES(combseal_seal(keys[i % 2], packets[i].nonce, 12, packets[i].ad, i % 6, by_itself, len_of(i), by_itself,
                            tag, 16), 0);
        CHECK(memcmp(by_itself, packets[i].job.out, len_of(i)) == 0 && memcmp(tag, packets[i].tag, 16) == 0);
        CHECK(packets[i].job.out == plain[i] || all_are(sealed[i] + len_of(i), LONGEST - len_of(i), 0xcc));
        packets[i].job.in = packets[i].job.out;
        packets[i].job.out = i % 2 ? back[i] : packets[i].job.out;
    }
    /* One of them is forged, another has a wrong length. */
    packets[7].tag[15] ^= 0x80;
    packets[9].job.tag_len = 15;
    GIVES(combseal_batch_open(batch, &packets[0].job, JOBS, sizeof(packet)), COMBSEAL_ERROR_FORGED);
    for (size_t i = 0; i < JOBS; i++) {
        int bad = i == 7 ? COMBSEAL_ERROR_FORGED : i == 9 ? COMBSEAL_ERROR_TAG_LENGTH : 0;
        CHECK(packets[i].job.result == bad);
        CHECK(all_are(packets[i].job.out, len_of(i), bad ? 0 : (unsigned char)(i + 1)));
    }

    /* A nonce that repeats: the second job fails alone. */
    fill(keys, 1);
    packets[4].nonce[11] = 3;
    GIVES(combseal_batch_seal(batch, &packets[0].job, JOBS, sizeof(packet)), COMBSEAL_ERROR_NONCE_REPEATED);
    for (size_t i = 0; i < JOBS; i++) {
        CHECK(packets[i].job.result == (i == 4 ? COMBSEAL_ERROR_NONCE_REPEATED : 0));
    }
    CHECK(all_are(packets[4].job.out, len_of(4), 0) && all_are(packets[4].tag, 16, 0));

    /* Faults of the program: nothing is done, and nothing is left to be sent. */
    for (int fault = 0; fault < 8; fault++) {
        int code = fault < 3 ? COMBSEAL_ERROR_NULL : fault == 6 ? COMBSEAL_ERROR_HANDLE : COMBSEAL_ERROR_OVERLAP;
        fill(keys, 2);
        packet *it = &packets[20];
        if (fault == 0) it->job.key = NULL;
        if (fault == 1) it->job.nonce = NULL;
        if (fault == 2) it->job.tag = NULL;
        if (fault == 3) it->job.out = sealed[10] + 3;
        if (fault == 4) it->job.ad = sealed[10], it->job.ad_len = 3;
        if (fault == 5) it->job.tag = (unsigned char *)&packets[30].job.out + 3;
        /* Its result is written while its associated data are read. */
        if (fault == 7) it->job.ad = (const uint8_t *)&it->job.result, it->job.ad_len = 4;
        if (fault == 6) it->job.key = (const combseal_key *)(const void *)plain;
        GIVES(combseal_batch_seal(batch, &packets[0].job, JOBS, sizeof(packet)), code);
        for (size_t i = 0; i < JOBS; i++) {
            CHECK(packets[i].job.out == (i == 20 && fault == 3 ? sealed[10] + 3 : i % 3 ? sealed[i] : plain[i]));
            CHECK(packets[i].job.result != 0);
            CHECK(all_are(packets[i].job.out, packets[i].job.len, 0));
            CHECK(i == 20 || all_are(packets[i].tag, 16, 0));
        }
    }
    fill(keys, 2);
    GIVES(combseal_batch_seal(NULL, &packets[0].job, JOBS, sizeof(packet)), COMBSEAL_ERROR_NULL);
    CHECK(all_are(packets[5].job.out, len_of(5), 0));
    GIVES(combseal_batch_seal(batch, NULL, JOBS, sizeof(packet)), COMBSEAL_ERROR_NULL);
    GIVES(combseal_batch_seal(batch, NULL, 0, sizeof(packet)), 0);
    GIVES(combseal_batch_seal(batch, &packets[0].job, SIZE_MAX / 2, sizeof(packet)), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_batch_seal(batch, &packets[0].job, JOBS, sizeof(combseal_job) - 8), COMBSEAL_ERROR_OPTION);

    /* With a sealer's nonces. */
    combseal_sealer *sealer;
    uint64_t first = 99;
    GIVES(combseal_sealer_new_with(&sealer, keys[0], COMBSEAL_PREFIX, (const uint8_t *)"us->", 4,
                                   ((uint64_t)1 << 48) - 40, 0), 0);
    fill(keys, 1);
    for (size_t i = 0; i < JOBS; i++) packets[i].job.key = NULL, packets[i].job.nonce = NULL, packets[i].job.nonce_len = 0;
    GIVES(combseal_sealer_seal_batch(sealer, batch, &packets[0].job, JOBS, sizeof(packet), &first),
          COMBSEAL_ERROR_EXHAUSTED);
    CHECK(first == ((uint64_t)1 << 48) - 40);
    for (size_t i = 0; i < JOBS; i++) {
        unsigned char nonce[12] = "us->", out[LONGEST];
        uint64_t counter = first + i;
        CHECK(packets[i].job.result == (i < 40 ? 0 : COMBSEAL_ERROR_EXHAUSTED));
        if (i >= 40) {
            CHECK(all_are(packets[i].job.out, len_of(i), 0));
            continue;
        }
        for (int b = 0; b < 8; b++) nonce[4 + b] = (unsigned char)(counter >> (56 - 8 * b));
        GIVES(combseal_open(keys[0], nonce, 12, packets[i].ad, i % 6, packets[i].job.out, len_of(i), out,
                            packets[i].tag, 16), 0);
        CHECK(all_are(out, len_of(i), (unsigned char)(i + 1)));
    }
    GIVES(combseal_sealer_seal_batch(NULL, batch, &packets[0].job, JOBS, sizeof(packet), NULL), COMBSEAL_ERROR_NULL);
    combseal_sealer_free(sealer);
    for (size_t i = 0; i < 2; i++) combseal_key_free(made[i]);
}

static void columns(void) {
    combseal_key *key;
    combseal_counter *counter;
    const char *text = "AnnBobChristine";
    const uint32_t offsets[] = {0, 3, 6, 6, 15};
    const uint64_t wide[] = {0, 3, 6, 6, 15};
    unsigned char sealed[200], other[200], opened[200], bits[1];
    uint64_t cells[5], first = 9, again = 9;
    size_t len = 1;
    combseal_values values = {(const uint8_t *)text, 15, offsets, 4, 4, 0};
    combseal_values same = {(const uint8_t *)text, 15, wide, 8, 4, 0};
    combseal_nonces nonces = {COMBSEAL_NONCES_COUNTED, NULL, 0, NULL, 0};
    GIVES(combseal_key_new(&key, "OCB3-AES-128", KEY, 16), 0);
    GIVES(combseal_counter_new(&counter, (const uint8_t *)"col1", 4, 10, 0), 0);
    nonces.counter = counter;
    GIVES(combseal_columns_sealed_len(key, 0, &values, &len), 0);
    CHECK(len == 15 + 4 * 16);
    GIVES(combseal_columns_seal(key, &nonces, (const uint8_t *)"t.c", 3, 0, &values, sealed, len, &first), 0);
    CHECK(first == 10 && combseal_counter_next(counter) == 14 && combseal_counter_blocks_used(counter) == 4 * 3 + 3);
    GIVES(combseal_columns_offsets(key, 0, &values, 0, cells, 8), 0);
    CHECK(cells[0] == 0 && cells[1] == 19 && cells[2] == 38 && cells[3] == 54 && cells[4] == 79);
    /* After an error they are zero: too much for 32 bits, none of memory's lengths, no key. */
    for (int fault = 0; fault < 3; fault++) {
        static const int CODES[] = {COMBSEAL_ERROR_BUFFER_LENGTH, COMBSEAL_ERROR_BUFFER_LENGTH, COMBSEAL_ERROR_NULL};
        static const size_t FRONTS[] = {0x60000000, SIZE_MAX / 4, 0};
        uint32_t narrow[5];
        memset(narrow, 0xee, sizeof narrow);
        GIVES(combseal_columns_offsets(fault == 2 ? NULL : key, FRONTS[fault], &values, 0, narrow, 4), CODES[fault]);
        CHECK(all_are(narrow, sizeof narrow, 0));
    }
    for (size_t i = 0; i < 4; i++) {
        unsigned char nonce[12] = "col1", out[9];
        nonce[11] = (unsigned char)(10 + i);
        GIVES(combseal_open_attached(key, nonce, 12, (const uint8_t *)"t.c", 3, sealed + cells[i],
                                     cells[i + 1] - cells[i], out, 9, &len), 0);
        CHECK(len == offsets[i + 1] - offsets[i] && memcmp(out, text + offsets[i], len) == 0);
    }
    combseal_values sealed_values = {sealed, 79, cells, 8, 4, 0};
    combseal_nonces from = {COMBSEAL_NONCES_COUNTED_FROM, (const uint8_t *)"col1", 4, NULL, 10};
    GIVES(combseal_columns_opened_len(key, 0, &sealed_values, &len), 0);
    CHECK(len == 15);
    GIVES(combseal_columns_open(key, &from, (const uint8_t *)"t.c", 3, 0, &sealed_values, opened, 15, bits, 1), 0);
    CHECK(memcmp(opened, text, 15) == 0 && bits[0] == 0x0f);
    /* One cell is forged: the others are there. */
    sealed[20] ^= 1;
    GIVES(combseal_columns_open(key, &from, (const uint8_t *)"t.c", 3, 0, &sealed_values, opened, 15, bits, 1),
          COMBSEAL_ERROR_FORGED);
    CHECK(memcmp(opened, "Ann\0\0\0Christine", 15) == 0 && bits[0] == 0x0d);

    /* Faults: of each the output is zero, and no nonce is used. */
    memset(sealed, 5, sizeof sealed);
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 80, &again), COMBSEAL_ERROR_BUFFER_LENGTH);
    CHECK(all_are(sealed, 80, 0) && all_are(sealed + 80, 20, 5) && again == 0);
    CHECK(combseal_counter_next(counter) == 14);
    GIVES(combseal_columns_seal(key, NULL, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, NULL, sealed, 79, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_seal(NULL, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_seal(key, &from, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_UNSUPPORTED);
    nonces.kind = 9;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_OPTION);
    nonces.kind = COMBSEAL_NONCES_COUNTED, nonces.counter = (combseal_counter *)key;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_HANDLE);
    nonces.counter = counter;
    values.offset_size = 5;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_OPTION);
    values.offset_size = 4, values.data_len = 14;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    values.data_len = 15, values.count = SIZE_MAX;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    values.count = SIZE_MAX / 4 - 1;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    values.count = 4, values.offsets = (const char *)offsets + 1;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_PLACE);
    values.offsets = offsets, values.data = sealed + 78;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), COMBSEAL_ERROR_OVERLAP);
    values.data = (const uint8_t *)text;

    /* Given nonces, four bytes of the caller's before each cell, values of one length. */
    unsigned char many[5 * 12] = {0};
    for (size_t i = 0; i < 5; i++) many[12 * i] = (unsigned char)i;
    combseal_nonces given = {COMBSEAL_NONCES_GIVEN, many, sizeof many, NULL, 0};
    combseal_values fixed = {(const uint8_t *)text, 15, NULL, 0, 5, 3};
    memset(sealed, 0xaa, sizeof sealed);
    GIVES(combseal_columns_seal(key, &given, NULL, 0, 4, &fixed, sealed, 5 * 23, NULL), 0);
    for (size_t i = 0; i < 5; i++) CHECK(all_are(sealed + 23 * i, 4, 0xaa));
    combseal_values cells_of_one = {sealed, 5 * 23, NULL, 0, 5, 23};
    GIVES(combseal_columns_open(key, &given, NULL, 0, 4, &cells_of_one, opened, 15, bits, 1), 0);
    CHECK(memcmp(opened, text, 15) == 0 && bits[0] == 0x1f);
    given.len--;
    GIVES(combseal_columns_open(key, &given, NULL, 0, 4, &cells_of_one, opened, 15, bits, 1),
          COMBSEAL_ERROR_NONCE_LENGTH);
    CHECK(all_are(opened, 15, 0) && bits[0] == 0);
    fixed.count = 4;
    GIVES(combseal_columns_sealed_len(key, 4, &fixed, &len), COMBSEAL_ERROR_BUFFER_LENGTH);

    /* 64-bit offsets make the same cells. */
    combseal_counter_free(counter);
    GIVES(combseal_counter_new(&counter, (const uint8_t *)"col1", 4, 10, 0), 0);
    nonces.counter = counter;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, sealed, 79, NULL), 0);
    combseal_counter_free(counter);
    GIVES(combseal_counter_new(&counter, (const uint8_t *)"col1", 4, 10, 0), 0);
    nonces.counter = counter;
    GIVES(combseal_columns_seal(key, &nonces, NULL, 0, 0, &same, other, 79, NULL), 0);
    CHECK(memcmp(sealed, other, 79) == 0);
    combseal_counter_free(counter);
    combseal_key_free(key);

    if (combseal_algorithm_key_len("SIV-AES-128")) {
        combseal_nonces none = {COMBSEAL_NONCES_NONE, NULL, 0, NULL, 0};
        CHECK(combseal_algorithm_tag_first("SIV-AES-128") == 1);
        GIVES(combseal_key_new(&key, "SIV-AES-128", KEY, 32), 0);
        GIVES(combseal_columns_seal(key, &none, NULL, 0, 0, &values, sealed, 79, NULL), 0);
        GIVES(combseal_columns_open(key, &none, NULL, 0, 0, &sealed_values, opened, 15, bits, 1), 0);
        CHECK(memcmp(opened, text, 15) == 0 && bits[0] == 0x0f);
        /* The tag is first: in place means that the message stays where it is. */
        unsigned char nonce[16] = {0}, room[56];
        memset(room + 16, 9, 40);
        GIVES(combseal_seal_attached(key, nonce, combseal_key_nonce_len(key), NULL, 0, room + 16, 40, room, 56, &len), 0);
        GIVES(combseal_open_attached(key, nonce, combseal_key_nonce_len(key), NULL, 0, room, 56, room, 40, &len),
              COMBSEAL_ERROR_OVERLAP);
        CHECK(all_are(room, 40, 0));
        memset(room + 16, 9, 40);
        GIVES(combseal_seal_attached(key, nonce, combseal_key_nonce_len(key), NULL, 0, room + 16, 40, room, 56, &len), 0);
        GIVES(combseal_open_attached(key, nonce, combseal_key_nonce_len(key), NULL, 0, room, 56, room + 16, 40, &len), 0);
        CHECK(len == 40 && all_are(room + 16, 40, 9));
        combseal_key_free(key);
    } else {
        printf("this build has no SIV-AES-128\n");
    }
}

int main(void) {
    combseal_batch *batch;
    GIVES(combseal_batch_new(&batch), 0);
    batches(batch);
    batches(batch);
    combseal_batch_free(batch);
    columns();
    return 0;
}

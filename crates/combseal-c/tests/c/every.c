/* Every function of combseal.h as nobody should call it: with NULL and no bytes, with lengths that no
 * memory has, with objects that do not live, have another kind, lie at odd addresses or were copied. (A test
 * in tests/c.rs looks that none is left out.) */
#include "combseal.h"
#include "test.h"

static const uint8_t BYTES[64] = {1, 2, 3};
static uint8_t out[64], tag[16];
static size_t n;
static uint64_t number;
/* No object: zero, as what was freed in the caller's memory, and at any address. */
static unsigned char dead_room[4096 + 64];

/* The huge lengths: all that can be said, the first that no object has, one that goes round the end. */
static const size_t HUGE_LENS[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX - 15};

/* `call` is refused for what `it` is: NULL, dead, at an odd address. */
#define NOT_AN_OBJECT(type, call)                                           \
    do {                                                                    \
        type *it = NULL;                                                    \
        GIVES(call, COMBSEAL_ERROR_NULL);                                   \
        it = (type *)(void *)dead;                                          \
        GIVES(call, COMBSEAL_ERROR_HANDLE);                                 \
        it = (type *)(void *)(dead + 1);                                    \
        GIVES(call, COMBSEAL_ERROR_HANDLE);                                 \
    } while (0)

/* `is_none`, a condition of `it`, holds for those. */
#define NOTHING_OF(type, is_none)                                           \
    do {                                                                    \
        type *it = NULL;                                                    \
        CHECK(is_none);                                                     \
        it = (type *)(void *)dead;                                          \
        CHECK(is_none);                                                     \
        it = (type *)(void *)(dead + 1);                                    \
        CHECK(is_none);                                                     \
    } while (0)

static unsigned char *dead;

static void about(void) {
    CHECK(combseal_version() != NULL && combseal_strerror(-12345) != NULL && combseal_error_name(99) != NULL);
    CHECK(combseal_tier_name(SIZE_MAX) == NULL && combseal_algorithm_name(SIZE_MAX) == NULL);
    CHECK(combseal_algorithm_key_len(NULL) == 0 && combseal_algorithm_nonce_len(NULL) == 0);
    CHECK(combseal_algorithm_tag_len(NULL) == 0 && combseal_algorithm_tag_first(NULL) == 0);
    CHECK(combseal_algorithm_key_len("") == 0 && combseal_algorithm_nonce_len("\xff\xfe") == 0);
}

static void keys(void) {
    combseal_key *key;
    combseal_limits limits;
    GIVES(combseal_key_new(NULL, NULL, NULL, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_new(&key, NULL, NULL, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_new_with(NULL, NULL, NULL, 0, 0, 0, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_new_with(&key, "OCB3-AES-128", NULL, 0, 0, 0, NULL), COMBSEAL_ERROR_KEY_LENGTH);
    GIVES(combseal_key_new_with(&key, "OCB3-AES-128", BYTES, 16, 0, 0, NULL), COMBSEAL_ERROR_TAG_LENGTH);
    GIVES(combseal_key_new_with(&key, "OCB3-AES-128", BYTES, 16, 16, 0, NULL), COMBSEAL_ERROR_NONCE_LENGTH);
    GIVES(combseal_key_new_with(&key, "OCB3-AES-128", BYTES, 16, SIZE_MAX - 1, 12, NULL), COMBSEAL_ERROR_TAG_LENGTH);
    GIVES(combseal_key_new_with(&key, "OCB3-AES-128", BYTES, 16, 16, SIZE_MAX - 1, NULL), COMBSEAL_ERROR_NONCE_LENGTH);
    CHECK(key == NULL);
    for (size_t i = 0; i < 3; i++) {
        GIVES(combseal_key_new(&key, "OCB3-AES-128", BYTES, HUGE_LENS[i]), COMBSEAL_ERROR_BUFFER_LENGTH);
        GIVES(combseal_key_init(dead, 4096, "OCB3-AES-128", BYTES, HUGE_LENS[i], 16, 12, NULL),
              COMBSEAL_ERROR_BUFFER_LENGTH);
    }
    GIVES(combseal_key_init(NULL, 0, NULL, NULL, 0, 0, 0, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_key_init(dead, 0, "OCB3-AES-128", BYTES, 16, 16, 12, NULL), COMBSEAL_ERROR_PLACE);
    CHECK(combseal_key_sizeof() > 0 && combseal_key_alignof() > 0);
    NOTHING_OF(combseal_key, combseal_key_algorithm(it) == NULL);
    NOTHING_OF(combseal_key, combseal_key_tier(it) == NULL);
    NOTHING_OF(combseal_key, combseal_key_tag_len(it) == 0);
    NOTHING_OF(combseal_key, combseal_key_nonce_len(it) == 0);
    NOTHING_OF(combseal_key, combseal_key_tag_first(it) == 0);
    NOT_AN_OBJECT(combseal_key, combseal_key_limits(it, &limits));
    NOTHING_OF(combseal_key, (combseal_key_free(it), 1));
}

static void messages(const combseal_key *key) {
    NOT_AN_OBJECT(combseal_key, combseal_seal(it, BYTES, 12, NULL, 0, BYTES, 20, out, tag, 16));
    NOT_AN_OBJECT(combseal_key, combseal_open(it, BYTES, 12, NULL, 0, BYTES, 20, out, tag, 16));
    NOT_AN_OBJECT(combseal_key, combseal_seal_attached(it, BYTES, 12, NULL, 0, BYTES, 20, out, 64, &n));
    NOT_AN_OBJECT(combseal_key, combseal_open_attached(it, BYTES, 12, NULL, 0, BYTES, 20, out, 64, &n));
    GIVES(combseal_seal(key, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0), COMBSEAL_ERROR_TAG_LENGTH);
    GIVES(combseal_open(key, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0), COMBSEAL_ERROR_TAG_LENGTH);
    GIVES(combseal_seal_attached(key, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_open_attached(key, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    for (size_t i = 0; i < 3; i++) {
        size_t huge = HUGE_LENS[i];
        int bad = COMBSEAL_ERROR_BUFFER_LENGTH;
        GIVES(combseal_seal(key, BYTES, huge, NULL, 0, BYTES, 20, out, tag, 16), bad);
        GIVES(combseal_seal(key, BYTES, 12, BYTES, huge, BYTES, 20, out, tag, 16), bad);
        GIVES(combseal_seal(key, BYTES, 12, NULL, 0, BYTES, huge, out, tag, 16), bad);
        GIVES(combseal_seal(key, BYTES, 12, NULL, 0, out, huge, out, tag, 16), bad);
        GIVES(combseal_seal(key, BYTES, 12, NULL, 0, BYTES, 20, out, tag, huge), bad);
        GIVES(combseal_open(key, BYTES, huge, NULL, 0, BYTES, 20, out, tag, 16), bad);
        GIVES(combseal_open(key, BYTES, 12, BYTES, huge, BYTES, 20, out, tag, 16), bad);
        GIVES(combseal_open(key, BYTES, 12, NULL, 0, BYTES, huge, out, tag, 16), bad);
        GIVES(combseal_open(key, BYTES, 12, NULL, 0, BYTES, 20, out, tag, huge), bad);
        GIVES(combseal_seal_attached(key, BYTES, 12, NULL, 0, BYTES, huge, out, 64, &n), bad);
        GIVES(combseal_seal_attached(key, BYTES, 12, NULL, 0, BYTES, 20, out, huge, &n), bad);
        GIVES(combseal_open_attached(key, BYTES, 12, NULL, 0, BYTES, huge, out, 64, &n), bad);
        GIVES(combseal_open_attached(key, BYTES, 12, NULL, 0, BYTES, 20, out, huge, &n), bad);
    }
    /* Buffers that begin before the end of all addresses and end behind it. */
    GIVES(combseal_seal(key, (const uint8_t *)(UINTPTR_MAX - 4), 12, NULL, 0, BYTES, 20, out, tag, 16),
          COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_seal(key, BYTES, 12, NULL, 0, BYTES, 20, out, (uint8_t *)(UINTPTR_MAX - 4), 16),
          COMBSEAL_ERROR_BUFFER_LENGTH);
}

static void counted(const combseal_key *key) {
    combseal_sealer *sealer, *copy;
    combseal_opener *opener;
    unsigned char room[COMBSEAL_SEALER_ROOM + COMBSEAL_ALIGN], *place = room;
    while ((uintptr_t)place % COMBSEAL_ALIGN) place++;
    GIVES(combseal_sealer_new(NULL, NULL, NULL, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_new(&sealer, key, NULL, 0), COMBSEAL_ERROR_PREFIX_LENGTH);
    GIVES(combseal_sealer_new_with(NULL, key, 0, NULL, 0, 0, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_new_with(&sealer, key, COMBSEAL_XOR, NULL, 0, 0, 0), COMBSEAL_ERROR_NONCE_LENGTH);
    GIVES(combseal_sealer_init(NULL, 0, key, 0, NULL, 0, 0, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealer_init(place, 1, key, 0, BYTES, 4, 0, 0), COMBSEAL_ERROR_PLACE);
    NOT_AN_OBJECT(combseal_key, combseal_sealer_new(&sealer, it, BYTES, 4));
    NOT_AN_OBJECT(combseal_key, combseal_sealer_new_with(&sealer, it, 0, BYTES, 4, 0, 0));
    NOT_AN_OBJECT(combseal_key, combseal_sealer_init(place, COMBSEAL_SEALER_ROOM, it, 0, BYTES, 4, 0, 0));
    NOT_AN_OBJECT(combseal_sealer, combseal_sealer_seal(it, NULL, 0, BYTES, 20, out, tag, 16, NULL, 0));
    NOT_AN_OBJECT(combseal_sealer, combseal_sealer_seal_attached(it, NULL, 0, BYTES, 20, out, 64, &n, NULL, 0));
    NOTHING_OF(combseal_sealer, combseal_sealer_next_counter(it) == 0);
    NOTHING_OF(combseal_sealer, combseal_sealer_blocks_used(it) == 0);
    NOTHING_OF(combseal_sealer, combseal_sealer_blocks_left(it) == 0);
    NOTHING_OF(combseal_sealer, (combseal_sealer_free(it), 1));
    CHECK(combseal_sealer_sizeof() > 0 && combseal_sealer_alignof() > 0);
    GIVES(combseal_opener_new(NULL, NULL, 0, NULL, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_opener_init(NULL, 0, key, 0, NULL, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_opener_init(place, 1, key, 0, BYTES, 4), COMBSEAL_ERROR_PLACE);
    NOT_AN_OBJECT(combseal_key, combseal_opener_new(&opener, it, COMBSEAL_ANY, NULL, 0));
    NOT_AN_OBJECT(combseal_opener, combseal_opener_open(it, BYTES, 12, NULL, 0, BYTES, 20, out, tag, 16));
    NOT_AN_OBJECT(combseal_opener, combseal_opener_open_attached(it, BYTES, 12, NULL, 0, BYTES, 20, out, 64, &n));
    NOTHING_OF(combseal_opener, combseal_opener_forgeries(it) == 0);
    NOTHING_OF(combseal_opener, (combseal_opener_free(it), 1));
    CHECK(combseal_opener_sizeof() > 0 && combseal_opener_alignof() > 0);

    /* A sealer that was copied would use each nonce a second time. */
    GIVES(combseal_sealer_init(place, COMBSEAL_SEALER_ROOM, key, COMBSEAL_PREFIX, BYTES, 4, 7, 0), 0);
    sealer = (combseal_sealer *)(void *)place;
    CHECK(combseal_sealer_sizeof() <= 4096);
    memcpy(dead, place, combseal_sealer_sizeof());
    copy = (combseal_sealer *)(void *)dead;
    GIVES(combseal_sealer_seal(copy, NULL, 0, BYTES, 20, out, tag, 16, NULL, 0), COMBSEAL_ERROR_HANDLE);
    CHECK(combseal_sealer_next_counter(copy) == 0);
    combseal_sealer_free(copy);
    memset(dead, 0, 4096);
    for (size_t i = 0; i < 3; i++) {
        size_t huge = HUGE_LENS[i];
        int bad = COMBSEAL_ERROR_BUFFER_LENGTH;
        GIVES(combseal_sealer_seal(sealer, BYTES, huge, BYTES, 20, out, tag, 16, NULL, 0), bad);
        GIVES(combseal_sealer_seal(sealer, NULL, 0, BYTES, huge, out, tag, 16, NULL, 0), bad);
        GIVES(combseal_sealer_seal(sealer, NULL, 0, BYTES, 20, out, tag, huge, NULL, 0), bad);
        GIVES(combseal_sealer_seal_attached(sealer, NULL, 0, BYTES, 20, out, huge, &n, NULL, 0), bad);
        GIVES(combseal_sealer_seal_attached(sealer, NULL, 0, BYTES, huge, out, 64, &n, NULL, 0), bad);
        GIVES(combseal_sealer_new(&sealer, key, BYTES, huge), bad);
        sealer = (combseal_sealer *)(void *)place;
    }
    GIVES(combseal_sealer_seal(sealer, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0), COMBSEAL_ERROR_TAG_LENGTH);
    CHECK(combseal_sealer_next_counter(sealer) == 7);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, BYTES, 20, out, tag, 16, NULL, 0), 0);
    combseal_sealer_free(sealer);
    combseal_sealer_free(sealer);
    GIVES(combseal_sealer_seal(sealer, NULL, 0, BYTES, 20, out, tag, 16, NULL, 0), COMBSEAL_ERROR_HANDLE);
}

static void many(const combseal_key *key) {
    combseal_batch *batch;
    combseal_counter *counter;
    combseal_sealer *sealer;
    combseal_job job;
    combseal_values values;
    combseal_nonces nonces;
    unsigned char room[COMBSEAL_COUNTER_ROOM + COMBSEAL_ALIGN], *place = room;
    while ((uintptr_t)place % COMBSEAL_ALIGN) place++;
    memset(&job, 0, sizeof job), memset(&values, 0, sizeof values), memset(&nonces, 0, sizeof nonces);
    GIVES(combseal_batch_new(NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_batch_new(&batch), 0);
    GIVES(combseal_sealer_new(&sealer, key, BYTES, 4), 0);
    NOT_AN_OBJECT(combseal_batch, combseal_batch_seal(it, &job, 1, sizeof job));
    NOT_AN_OBJECT(combseal_batch, combseal_batch_open(it, &job, 1, sizeof job));
    NOT_AN_OBJECT(combseal_batch, combseal_sealer_seal_batch(sealer, it, &job, 1, sizeof job, &number));
    NOT_AN_OBJECT(combseal_sealer, combseal_sealer_seal_batch(it, batch, &job, 1, sizeof job, &number));
    GIVES(combseal_batch_seal(batch, &job, 1, sizeof job), COMBSEAL_ERROR_NULL);
    GIVES(combseal_batch_open(batch, &job, 1, sizeof job), COMBSEAL_ERROR_NULL);
    for (size_t i = 0; i < 3; i++) {
        GIVES(combseal_batch_open(batch, &job, HUGE_LENS[i], sizeof job), COMBSEAL_ERROR_BUFFER_LENGTH);
        GIVES(combseal_sealer_seal_batch(sealer, batch, &job, HUGE_LENS[i], sizeof job, NULL),
              COMBSEAL_ERROR_BUFFER_LENGTH);
    }
    GIVES(combseal_batch_open(batch, &job, 1, 0), COMBSEAL_ERROR_OPTION);
    GIVES(combseal_sealer_seal_batch(sealer, batch, NULL, 0, sizeof job, NULL), 0);
    NOTHING_OF(combseal_batch, (combseal_batch_free(it), 1));
    CHECK(combseal_batch_sizeof() > 0 && combseal_batch_alignof() > 0);
    combseal_sealer_free(sealer);
    combseal_batch_free(batch);

    GIVES(combseal_counter_new(NULL, NULL, 0, 0, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_counter_new(&counter, NULL, 4, 0, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_counter_new(&counter, BYTES, SIZE_MAX, 0, 0), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_counter_init(NULL, 0, BYTES, 4, 0, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_counter_init(place, 1, BYTES, 4, 0, 0), COMBSEAL_ERROR_PLACE);
    GIVES(combseal_counter_init(place + 1, COMBSEAL_COUNTER_ROOM, BYTES, 4, 0, 0), COMBSEAL_ERROR_PLACE);
    GIVES(combseal_counter_init(place, COMBSEAL_COUNTER_ROOM, BYTES, 4, 5, 6), 0);
    counter = (combseal_counter *)(void *)place;
    CHECK(combseal_counter_next(counter) == 5 && combseal_counter_blocks_used(counter) == 6);
    combseal_counter_free(counter);
    CHECK(all_are(place, combseal_counter_sizeof(), 0));
    NOTHING_OF(combseal_counter, combseal_counter_next(it) == 0);
    NOTHING_OF(combseal_counter, combseal_counter_blocks_used(it) == 0);
    NOTHING_OF(combseal_counter, (combseal_counter_free(it), 1));
    CHECK(combseal_counter_sizeof() > 0 && combseal_counter_alignof() > 0);

    nonces.bytes = BYTES;
    NOT_AN_OBJECT(combseal_key, combseal_columns_sealed_len(it, 0, &values, &n));
    NOT_AN_OBJECT(combseal_key, combseal_columns_opened_len(it, 0, &values, &n));
    NOT_AN_OBJECT(combseal_key, combseal_columns_offsets(it, 0, &values, 0, &number, 8));
    NOT_AN_OBJECT(combseal_key, combseal_columns_seal(it, &nonces, NULL, 0, 0, &values, out, 0, &number));
    NOT_AN_OBJECT(combseal_key, combseal_columns_open(it, &nonces, NULL, 0, 0, &values, out, 0, NULL, 0));
    GIVES(combseal_columns_sealed_len(key, 0, NULL, &n), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_sealed_len(key, 0, &values, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_opened_len(key, 0, NULL, &n), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_offsets(key, 0, NULL, 0, &number, 8), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_open(key, NULL, NULL, 0, 0, &values, out, 0, NULL, 0), COMBSEAL_ERROR_NULL);
    GIVES(combseal_columns_open(key, &nonces, NULL, 0, 0, NULL, out, 0, NULL, 0), COMBSEAL_ERROR_NULL);
    values.data = BYTES, values.data_len = 60, values.count = 5, values.value_len = 12;
    nonces.len = 60;
    for (size_t i = 0; i < 3; i++) {
        size_t huge = HUGE_LENS[i];
        combseal_values bad = values;
        bad.data_len = huge;
        CHECK(combseal_columns_sealed_len(key, 0, &bad, &n) < 0);
        CHECK(combseal_columns_seal(key, &nonces, NULL, 0, 0, &bad, out, 64, NULL) < 0);
        bad = values, bad.count = huge;
        CHECK(combseal_columns_sealed_len(key, 0, &bad, &n) < 0);
        bad = values, bad.value_len = huge;
        CHECK(combseal_columns_opened_len(key, 0, &bad, &n) < 0);
        CHECK(combseal_columns_sealed_len(key, huge, &values, &n) < 0);
        CHECK(combseal_columns_seal(key, &nonces, NULL, 0, huge, &values, out, 64, NULL) < 0);
        CHECK(combseal_columns_seal(key, &nonces, NULL, 0, 0, &values, out, huge, NULL) < 0);
        CHECK(combseal_columns_seal(key, &nonces, BYTES, huge, 0, &values, out, 64, NULL) < 0);
        CHECK(combseal_columns_open(key, &nonces, NULL, 0, 0, &values, out, 64, out, huge) < 0);
    }
}

#ifndef NO_STREAMS
static int put(void *user, const uint8_t *data, size_t len) {
    (void)user, (void)data, (void)len;
    return 0;
}
static ptrdiff_t get(void *user, uint8_t *data, size_t len) {
    (void)user, (void)data, (void)len;
    return 0;
}

static void streams(void) {
    combseal_sealing *sealing;
    combseal_opening *opening;
    combseal_lock lock = {BYTES, NULL, 0, 0, 0, 0}, both = {BYTES, BYTES, 3, 0, 0, 0};
    combseal_lock huge = {NULL, BYTES, SIZE_MAX, 0, 0, 0};
    combseal_stream_options options = {NULL, 0, BYTES, SIZE_MAX, 1, 0};
    GIVES(combseal_sealing_new(NULL, NULL, NULL, 0, NULL, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealing_new(&sealing, NULL, &lock, 1, NULL, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealing_new(&sealing, NULL, &both, 1, put, NULL), COMBSEAL_ERROR_OPTION);
    GIVES(combseal_sealing_new(&sealing, NULL, &huge, 1, put, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_sealing_new(&sealing, NULL, &lock, SIZE_MAX, put, NULL), COMBSEAL_ERROR_LOCKS);
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    NOT_AN_OBJECT(combseal_sealing, combseal_sealing_write(it, BYTES, 3));
    NOT_AN_OBJECT(combseal_sealing, combseal_sealing_finish(it));
    NOTHING_OF(combseal_sealing, (combseal_sealing_free(it), 1));
    CHECK(combseal_sealing_sizeof() > 0 && combseal_sealing_alignof() > 0);
    GIVES(combseal_opening_new(NULL, NULL, NULL, NULL, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_opening_new(&opening, NULL, &lock, NULL, NULL), COMBSEAL_ERROR_NULL);
    GIVES(combseal_opening_new(&opening, NULL, &both, get, NULL), COMBSEAL_ERROR_OPTION);
    GIVES(combseal_opening_new(&opening, NULL, &huge, get, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    GIVES(combseal_opening_new(&opening, &options, &lock, get, NULL), COMBSEAL_ERROR_BUFFER_LENGTH);
    CHECK(sealing == NULL && opening == NULL);
    NOT_AN_OBJECT(combseal_opening, combseal_opening_read(it, out, 3, &n));
    GIVES(combseal_opening_read(NULL, NULL, 0, NULL), COMBSEAL_ERROR_NULL);
    NOTHING_OF(combseal_opening, (combseal_opening_free(it), 1));
    CHECK(combseal_opening_sizeof() > 0 && combseal_opening_alignof() > 0);
    for (size_t i = 0; i < 3; i++) {
        GIVES(combseal_sealing_new(&sealing, NULL, &lock, 1, put, NULL), 0);
        GIVES(combseal_sealing_write(sealing, BYTES, HUGE_LENS[i]), COMBSEAL_ERROR_BUFFER_LENGTH);
        combseal_sealing_free(sealing);
    }
}
#endif

int main(void) {
    combseal_key *key;
    dead = dead_room;
    while ((uintptr_t)dead % 64) dead++;
    GIVES(combseal_key_new(&key, "OCB3-AES-128", BYTES, 16), 0);
    about();
    keys();
    messages(key);
    counted(key);
    many(key);
#ifndef NO_STREAMS
    streams();
#endif
    CHECK(all_are(dead_room, sizeof dead_room, 0));
    combseal_key_free(key);
    return 0;
}

/* Streams through the caller's own functions: whole, cut, changed, and functions that fail. */
#include "combseal.h"
#include "test.h"

typedef struct {
    unsigned char bytes[300000];
    size_t len, at, fails_at;
} memory;

static memory sealed;
static unsigned char plain[200000], opened[200000];

static int put(void *user, const uint8_t *data, size_t len) {
    memory *to = (memory *)user;
    if (to->len + len > to->fails_at) return -1;
    CHECK(to->len + len <= sizeof to->bytes);
    memcpy(to->bytes + to->len, data, len);
    to->len += len;
    return 0;
}

static ptrdiff_t get(void *user, uint8_t *data, size_t len) {
    memory *from = (memory *)user;
    size_t n = from->len - from->at;
    if (from->at >= from->fails_at) return -1;
    if (n > len) n = len;
    if (n > 5000) n = 5000; /* As a pipe would. */
    memcpy(data, from->bytes + from->at, n);
    from->at += n;
    return (ptrdiff_t)n;
}

/* More than it was asked for: a fault, which must not be believed. */
static ptrdiff_t liar(void *user, uint8_t *data, size_t len) {
    (void)user, (void)data;
    return (ptrdiff_t)len + 1;
}

/* Opens what is sealed, and returns the code at which it stopped. */
static int open_all(const combseal_lock *with, const combseal_stream_options *options, size_t *total) {
    combseal_opening *opening;
    int code = combseal_opening_new(&opening, options, with, get, &sealed);
    *total = 0;
    if (code) return code;
    for (;;) {
        size_t given;
        code = combseal_opening_read(opening, opened + *total, sizeof opened - *total > 777 ? 777 : 1, &given);
        if (code || given == 0) break;
        *total += given;
        if (*total == sizeof opened) *total = 0; /* There is no more. */
    }
    combseal_opening_free(opening);
    return code;
}

int main(void) {
    static const uint8_t key[32] = {7}, other[32] = {8};
    combseal_lock lock = {key, NULL, 0, 0, 0, 0}, wrong = {other, NULL, 0, 0, 0, 0}, none = {NULL, NULL, 0, 0, 0, 0};
    combseal_stream_options options = {"OCB3-AES-128", 4096, (const uint8_t *)"where", 5, 1, 1};
    combseal_stream_options elsewhere = {NULL, 0, (const uint8_t *)"there", 5, 1, 0};
    combseal_sealing *sealing;
    combseal_opening *opening;
    size_t total, given;
    for (size_t i = 0; i < sizeof plain; i++) plain[i] = (unsigned char)(i * i >> 3);
    if (combseal_sealing_sizeof() == 0) return 1;

    sealed.fails_at = SIZE_MAX;
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, &sealed), 0);
    for (size_t at = 0, n; at < 150001; at += n) {
        n = at % 9999 + 1;
        if (n > 150001 - at) n = 150001 - at;
        GIVES(combseal_sealing_write(sealing, plain + at, n), 0);
    }
    GIVES(combseal_sealing_write(sealing, NULL, 0), 0);
    GIVES(combseal_sealing_write(sealing, NULL, 1), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealing_finish(sealing), 0);
    GIVES(combseal_sealing_finish(sealing), COMBSEAL_ERROR_FAILED);
    GIVES(combseal_sealing_write(sealing, plain, 1), COMBSEAL_ERROR_FAILED);
    combseal_sealing_free(sealing);

    GIVES(open_all(&lock, &options, &total), 0);
    CHECK(total == 150001 && memcmp(opened, plain, total) == 0);
    sealed.at = 0;
    GIVES(open_all(&wrong, &options, &total), COMBSEAL_ERROR_WRONG_KEY);
    sealed.at = 0;
    GIVES(open_all(&lock, &elsewhere, &total), COMBSEAL_ERROR_WRONG_CONTEXT);
    sealed.at = 0, sealed.len--;
    GIVES(open_all(&lock, &options, &total), COMBSEAL_ERROR_CUT_OR_DAMAGED);
    CHECK(total == 150001 / 4096 * 4096 && memcmp(opened, plain, total) == 0);
    sealed.at = 0, sealed.len++, sealed.bytes[sealed.len / 2] ^= 1;
    GIVES(open_all(&lock, &options, &total), COMBSEAL_ERROR_DAMAGED);
    sealed.at = 0, sealed.bytes[sealed.len / 2] ^= 1, sealed.fails_at = 100000;
    GIVES(open_all(&lock, &options, &total), COMBSEAL_ERROR_IO);
    sealed.at = 3, sealed.fails_at = SIZE_MAX;
    GIVES(open_all(&lock, &options, &total), COMBSEAL_ERROR_NOT_SEALED);
    sealed.at = 0, sealed.len = 20;
    GIVES(open_all(&lock, &options, &total), COMBSEAL_ERROR_TRUNCATED);

    /* A writer that fails, and arguments. */
    sealed.len = 0, sealed.fails_at = 20000;
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, &sealed), 0);
    GIVES(combseal_sealing_write(sealing, plain, 1000), 0);
    sealed.fails_at = 0;
    GIVES(combseal_sealing_finish(sealing), COMBSEAL_ERROR_IO);
    combseal_sealing_free(sealing);
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, &sealed), COMBSEAL_ERROR_IO);
    CHECK(sealing == NULL);
    GIVES(combseal_sealing_new(&sealing, &options, NULL, 1, put, &sealed), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 0, put, &sealed), COMBSEAL_ERROR_LOCKS);
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 17, put, &sealed), COMBSEAL_ERROR_LOCKS);
    GIVES(combseal_sealing_new(&sealing, &options, &none, 1, put, &sealed), COMBSEAL_ERROR_NULL);
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, NULL, NULL), COMBSEAL_ERROR_NULL);
    options.segment_len = 5000;
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, &sealed), COMBSEAL_ERROR_SEGMENT_LENGTH);
    options.algorithm = "nothing";
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, &sealed), COMBSEAL_ERROR_UNKNOWN_NAME);
    GIVES(combseal_opening_new(&opening, NULL, NULL, get, &sealed), COMBSEAL_ERROR_NULL);
    GIVES(combseal_opening_new(&opening, NULL, &lock, NULL, &sealed), COMBSEAL_ERROR_NULL);
    GIVES(combseal_opening_new(&opening, NULL, &lock, liar, &sealed), COMBSEAL_ERROR_IO);
    GIVES(combseal_opening_read(NULL, opened, 1, &given), COMBSEAL_ERROR_NULL);
    CHECK(opening == NULL && given == 0);
    combseal_sealing_free(NULL);
    combseal_opening_free(NULL);
    return 0;
}

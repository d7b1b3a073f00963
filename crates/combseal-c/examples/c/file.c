/* Seals or opens a file of any size, in memory that does not grow.
 *
 *     cc file.c $(pkg-config --cflags --libs combseal)
 *     ./a.out seal KEY PLAIN SEALED
 *     ./a.out open KEY SEALED PLAIN        KEY: a file of 32 random bytes */
#include <combseal.h>
#include <stdio.h>
#include <string.h>

static int put(void *user, const uint8_t *data, size_t len) {
    return fwrite(data, 1, len, (FILE *)user) == len ? 0 : -1;
}

static ptrdiff_t get(void *user, uint8_t *data, size_t len) {
    size_t n = fread(data, 1, len, (FILE *)user);
    return n == 0 && ferror((FILE *)user) ? -1 : (ptrdiff_t)n;
}

static int seal(const combseal_lock *lock, FILE *from, FILE *to) {
    static uint8_t buffer[65536];
    combseal_sealing *sealing;
    size_t n;
    int code = combseal_sealing_new(&sealing, NULL, lock, 1, put, to);
    while (!code && (n = fread(buffer, 1, sizeof buffer, from)) > 0) {
        code = combseal_sealing_write(sealing, buffer, n);
    }
    if (!code && ferror(from)) code = COMBSEAL_ERROR_IO;
    if (!code) code = combseal_sealing_finish(sealing); /* Without this the file has no end. */
    combseal_sealing_free(sealing);
    return code;
}

static int open_file(const combseal_lock *lock, FILE *from, FILE *to) {
    static uint8_t buffer[65536];
    combseal_opening *opening;
    size_t n = 0;
    int code = combseal_opening_new(&opening, NULL, lock, get, from);
    /* Every byte that is given was verified; that none is missing is known at the end only. */
    while (!code && !(code = combseal_opening_read(opening, buffer, sizeof buffer, &n)) && n > 0) {
        if (fwrite(buffer, 1, n, to) != n) code = COMBSEAL_ERROR_IO;
    }
    combseal_opening_free(opening);
    return code;
}

int main(int argc, char **argv) {
    uint8_t key[32];
    combseal_lock lock = {0};
    FILE *file, *from, *to;
    int code, sealing = argc == 5 && strcmp(argv[1], "seal") == 0;
    if (argc != 5 || (!sealing && strcmp(argv[1], "open") != 0)) {
        fprintf(stderr, "usage: file seal|open KEY FROM TO\n");
        return 2;
    }
    file = fopen(argv[2], "rb");
    if (!file || fread(key, 1, sizeof key, file) != sizeof key) {
        fprintf(stderr, "%s: no key of 32 bytes\n", argv[2]);
        return 2;
    }
    fclose(file);
    from = fopen(argv[3], "rb");
    to = from ? fopen(argv[4], "wb") : NULL;
    if (!to) {
        perror(from ? argv[4] : argv[3]);
        return 2;
    }
    lock.key = key;
    code = sealing ? seal(&lock, from, to) : open_file(&lock, from, to);
    fclose(from);
    if (fclose(to) != 0 && !code) code = COMBSEAL_ERROR_IO;
    if (code) {
        fprintf(stderr, "%s: %s\n", argv[3], combseal_strerror(code));
        remove(argv[4]); /* A beginning is not to be taken for the whole. */
    }
    return code != 0;
}

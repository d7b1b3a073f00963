/* combseal.h: authenticated encryption at the speed of the AES unit, for C99 and C++.
 *
 * Keys are opaque and made by an algorithm's name; messages are sealed and opened one at a time, by
 * sealers that count nonces, in batches, as columns of short values, and as streams.
 *
 * What holds for every function:
 *
 *  - It returns 0 (COMBSEAL_OK) or a negative number that never changes its meaning, unless its own
 *    comment says otherwise. Lengths are in bytes. Arguments come in the order of RFC 5116: nonce,
 *    associated data ("ad"), message.
 *  - Every pointer and length is checked. NULL stands for no bytes where the length is 0, and is
 *    COMBSEAL_ERROR_NULL elsewhere. That so many bytes are there is what the caller promises.
 *  - `in` and `out` are the same pointer or have no byte in common; `out`, `tag` and what else is
 *    written have no byte in common with anything else of the call. What overlaps otherwise is
 *    COMBSEAL_ERROR_OVERLAP. (Numbers that are told by a pointer, as *out_len, are written last and not
 *    looked at so; nor is the memory of objects, a key's or a sealer's, in which no buffer may be: an
 *    `out` there would overwrite them.)
 *  - AFTER ANY ERROR THE OUTPUT IS ZERO, all that the call was given room for, in place too: a
 *    message that could not be sealed is not sent as plaintext by somebody who forgot to look, and
 *    of a forgery nothing is seen. The exceptions are said where they are.
 *  - There is no call that has to come first, no global state and no thread-local error. Functions
 *    that take a `const` object may run at once in any number of threads; of an object that is not
 *    const one thread at a time has the use.
 *  - No exception and no unwinding leaves the library: what cannot happen ends the process.
 *
 * Never use a nonce twice under one key (with SIV and GCM-SIV a repeated one shows only whether two
 * messages are equal). combseal_sealer counts for you.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COMBSEAL_H
#define COMBSEAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before including: COMBSEAL_DLL where the shared library of Windows is used. */
#if defined(_WIN32) && defined(COMBSEAL_DLL)
#define COMBSEAL_API __declspec(dllimport)
#else
#define COMBSEAL_API
#endif
#if defined(__GNUC__)
#define COMBSEAL_MUST_CHECK __attribute__((__warn_unused_result__))
#else
#define COMBSEAL_MUST_CHECK
#endif

/* ---- Version ------------------------------------------------------------------------------- */

#define COMBSEAL_VERSION_MAJOR 0
#define COMBSEAL_VERSION_MINOR 1
#define COMBSEAL_VERSION_PATCH 0
#define COMBSEAL_VERSION "0.1.0"

/* The version of the library that runs, as in "0.1.0". */
COMBSEAL_API const char *combseal_version(void);

/* ---- Errors -------------------------------------------------------------------------------- */

#define COMBSEAL_OK 0
/* Ciphertext, tag, nonce, associated data or key is not what was sealed. No more can be said. */
#define COMBSEAL_ERROR_FORGED (-1)
#define COMBSEAL_ERROR_KEY_LENGTH (-2)
#define COMBSEAL_ERROR_NONCE_LENGTH (-3)
/* The prefix of counted nonces is not eight bytes shorter than the key's nonces. */
#define COMBSEAL_ERROR_PREFIX_LENGTH (-4)
#define COMBSEAL_ERROR_TAG_LENGTH (-5)
/* Buffers are too short or do not fit each other; a length is more than memory can have. */
#define COMBSEAL_ERROR_BUFFER_LENGTH (-6)
#define COMBSEAL_ERROR_MESSAGE_TOO_LONG (-7)
#define COMBSEAL_ERROR_AD_TOO_LONG (-8)
/* The counter, or what may be sealed under one key, is used up. */
#define COMBSEAL_ERROR_EXHAUSTED (-9)
/* An earlier job of the batch seals under the same key with the same nonce. */
#define COMBSEAL_ERROR_NONCE_REPEATED (-10)
#define COMBSEAL_ERROR_REPLAYED (-11)
/* The nonce is not of the sender that an opener watches. */
#define COMBSEAL_ERROR_NONCE_PREFIX (-12)
/* The scheme, or this build of the library, has no such form. */
#define COMBSEAL_ERROR_UNSUPPORTED (-13)
/* No algorithm here, or no tier of this machine, has that name. */
#define COMBSEAL_ERROR_UNKNOWN_NAME (-14)
/* A job of a batch in which another one is wrong; nothing was done with it. */
#define COMBSEAL_ERROR_NOT_RUN (-15)
#define COMBSEAL_ERROR_NULL (-16)
#define COMBSEAL_ERROR_OVERLAP (-17)
/* The object was not made, has been freed, is not where it was made, or is of another kind. It is told by
 * a mark at its beginning, so in freed memory that somebody else uses now, it may not be told. */
#define COMBSEAL_ERROR_HANDLE (-18)
#define COMBSEAL_ERROR_MEMORY (-19)
/* The caller's memory for an object, jobs or offsets is too small or not aligned. */
#define COMBSEAL_ERROR_PLACE (-20)
/* A number or a structure's field is none of those that are listed. */
#define COMBSEAL_ERROR_OPTION (-21)
/* Of streams. */
#define COMBSEAL_ERROR_NOT_SEALED (-32)
#define COMBSEAL_ERROR_TEXT_DAMAGED (-33)
#define COMBSEAL_ERROR_OVER_CAP (-34)
#define COMBSEAL_ERROR_DAMAGED_HEADER (-35)
#define COMBSEAL_ERROR_WRONG_KEY (-36)
#define COMBSEAL_ERROR_WRONG_CONTEXT (-37)
#define COMBSEAL_ERROR_DAMAGED (-38)
#define COMBSEAL_ERROR_CUT_OR_DAMAGED (-39)
#define COMBSEAL_ERROR_TRUNCATED (-40)
#define COMBSEAL_ERROR_LOCKS (-41)
#define COMBSEAL_ERROR_SAME_LOCK (-42)
#define COMBSEAL_ERROR_SEGMENT_LENGTH (-43)
#define COMBSEAL_ERROR_COSTS (-44)
#define COMBSEAL_ERROR_THREADS (-45)
#define COMBSEAL_ERROR_RANDOM (-46)
/* The caller's function for reading or writing failed. */
#define COMBSEAL_ERROR_IO (-47)
/* An earlier call on this stream failed, or it is finished. */
#define COMBSEAL_ERROR_FAILED (-48)
#define COMBSEAL_ERROR_OTHER (-99)

/* A sentence for any number; and its name, as in "COMBSEAL_ERROR_FORGED". Never NULL. */
COMBSEAL_API const char *combseal_strerror(int code);
COMBSEAL_API const char *combseal_error_name(int code);

/* ---- What there is ------------------------------------------------------------------------- */

/* Names of tiers (instructions that ship together, as in "vaes512"; "soft" is everywhere) that
 * this machine has, the best first. NULL for the last place and beyond. */
COMBSEAL_API const char *combseal_tier_name(size_t i);

/* Names of algorithms in this build, as in "OCB3-AES-128". NULL for the last place and beyond. */
COMBSEAL_API const char *combseal_algorithm_name(size_t i);

/* Of the algorithm of that name: bytes in a key, and as a rule in a nonce and in a tag. 0 if there
 * is none. Names are taken as people type them too: "aes-256-gcm", "chacha20poly1305". */
COMBSEAL_API size_t combseal_algorithm_key_len(const char *name);
COMBSEAL_API size_t combseal_algorithm_nonce_len(const char *name);
COMBSEAL_API size_t combseal_algorithm_tag_len(const char *name);
/* 1 if a sealed message has its tag before the ciphertext (SIV), 0 if behind it. */
COMBSEAL_API size_t combseal_algorithm_tag_first(const char *name);

/* ---- Objects -------------------------------------------------------------------------------
 *
 * Every kind has three functions:
 *
 *   combseal_X_new(&x, ...)  makes one in memory of malloc's kind; x is NULL after an error;
 *   combseal_X_free(x)       ends one: every byte is zeroed, and memory that `new` took is given
 *                            back. NULL is fine; so is an object in the caller's memory that has
 *                            ended. What `new` made must not be freed twice, as with free();
 *   combseal_X_sizeof(),     and where there is an `init`, for callers without malloc: an object is
 *   combseal_X_alignof(),    made in `place`, memory of the caller's of at least so many bytes at an
 *   combseal_X_init(...)     address that is a multiple of so many. It stays there until
 *                            combseal_X_free, after which the memory is zero and the caller's again;
 *                            it must not be copied or moved (what is elsewhere than it was made is told by
 *                            its address, COMBSEAL_ERROR_HANDLE, and combseal_X_free leaves it as it is:
 *                            copies are the caller's to wipe), nor made of bytes in `place`. Sizes may
 *                            change from version to version, but in versions 0.x not beyond
 *                            COMBSEAL_X_ROOM, nor alignments beyond COMBSEAL_ALIGN.
 *
 * A sealer and an opener of OCB3 allocate wherever they are: they keep the associated data of the message
 * before. Where there is no memory for them they are not kept, and nothing fails.
 *
 * Sealers, openers, jobs and columns do not own the key that they are given: it has to live, in its
 * place, until they have ended. A sealer or an opener cannot tell whether it does: over a key that has
 * ended its calls fail with any error (COMBSEAL_ERROR_TAG_LENGTH, say), and over memory that somebody else
 * uses now not even that is sure. */

#define COMBSEAL_ALIGN 64
#define COMBSEAL_KEY_ROOM 4096
#define COMBSEAL_SEALER_ROOM 2048
#define COMBSEAL_OPENER_ROOM 2048
#define COMBSEAL_COUNTER_ROOM 256

/* The scheme's usual length, or the best tier (NULL). */
#define COMBSEAL_USUAL ((size_t)-1)

/* A key of any algorithm: it never changes, and any number of threads may use it at once. */
typedef struct combseal_key combseal_key;

COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_key_new(combseal_key **key, const char *algorithm,
                                                      const uint8_t *bytes, size_t len);
/* The same with tags of tag_len and nonces of nonce_len bytes, or COMBSEAL_USUAL, on a tier by its
 * name or NULL. Tags are no shorter than is safe without conditions. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_key_new_with(combseal_key **key, const char *algorithm,
                                                           const uint8_t *bytes, size_t len,
                                                           size_t tag_len, size_t nonce_len,
                                                           const char *tier);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_key_init(void *place, size_t place_len,
                                                       const char *algorithm, const uint8_t *bytes,
                                                       size_t len, size_t tag_len, size_t nonce_len,
                                                       const char *tier);
COMBSEAL_API size_t combseal_key_sizeof(void);
COMBSEAL_API size_t combseal_key_alignof(void);
COMBSEAL_API void combseal_key_free(combseal_key *key);

/* Of a key: the algorithm's and the tier's name, and lengths; NULL or 0 of one that does not live. */
COMBSEAL_API const char *combseal_key_algorithm(const combseal_key *key);
COMBSEAL_API const char *combseal_key_tier(const combseal_key *key);
COMBSEAL_API size_t combseal_key_tag_len(const combseal_key *key);
COMBSEAL_API size_t combseal_key_nonce_len(const combseal_key *key);
COMBSEAL_API int combseal_key_tag_first(const combseal_key *key);

/* What may be sealed under a key: bytes in a message and in its associated data; blocks of 16
 * bytes of both, and messages, in all. Sealers and counters keep to the last two. All 0 after an error. */
typedef struct combseal_limits {
    uint64_t message, ad, key_blocks, key_messages;
} combseal_limits;
COMBSEAL_API int combseal_key_limits(const combseal_key *key, combseal_limits *limits);

/* ---- One message --------------------------------------------------------------------------- */

/* Seals len bytes from `in` to `out` (the same pointer for in place), and writes the tag, of the
 * key's tag length. After an error `out` and `tag` are zero. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_seal(const combseal_key *key, const uint8_t *nonce,
                                                   size_t nonce_len, const uint8_t *ad,
                                                   size_t ad_len, const uint8_t *in, size_t len,
                                                   uint8_t *out, uint8_t *tag, size_t tag_len);

/* Opens len bytes from `in` to `out`, if `tag` is right. After an error `out` is zero. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_open(const combseal_key *key, const uint8_t *nonce,
                                                   size_t nonce_len, const uint8_t *ad,
                                                   size_t ad_len, const uint8_t *in, size_t len,
                                                   uint8_t *out, const uint8_t *tag,
                                                   size_t tag_len);

/* The same with the tag attached: behind the ciphertext, or before it if combseal_key_tag_first.
 * `out` has room for capacity bytes, of which len + tag length are written, as *out_len says unless
 * it is NULL; after an error all capacity bytes are zero, and *out_len is 0: keep all else of the call
 * out of them, the rest that is not written too, of which overlaps are not looked at. In place means that
 * the message stays where it is: `in` is the place of the ciphertext in `out`, which is out itself, or
 * out + tag length where the tag is first. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_seal_attached(
    const combseal_key *key, const uint8_t *nonce, size_t nonce_len, const uint8_t *ad,
    size_t ad_len, const uint8_t *in, size_t len, uint8_t *out, size_t capacity, size_t *out_len);

/* Opens len bytes, which have their tag attached, to len - tag length bytes. In place, `out` is the
 * place of the ciphertext in `in`. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_open_attached(
    const combseal_key *key, const uint8_t *nonce, size_t nonce_len, const uint8_t *ad,
    size_t ad_len, const uint8_t *in, size_t len, uint8_t *out, size_t capacity, size_t *out_len);

/* ---- Nonces that are counted --------------------------------------------------------------- */

/* How nonces are made. PREFIX: a prefix, then a counter of eight bytes, big-endian; the prefix is
 * eight bytes shorter than the key's nonces, and each sender under a key has its own. XOR: a secret
 * IV as long as the key's nonces, XORed with the counter (TLS 1.3, QUIC). ANY, of openers: any. */
#define COMBSEAL_PREFIX 0
#define COMBSEAL_XOR 1
#define COMBSEAL_ANY (-1)

/* Seals messages under one key, each with the next nonce, and stops at the key's limits. */
typedef struct combseal_sealer combseal_sealer;

/* Counting from zero: for a key that has sealed nothing yet with this prefix. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealer_new(combseal_sealer **sealer,
                                                         const combseal_key *key,
                                                         const uint8_t *prefix, size_t prefix_len);
/* With COMBSEAL_PREFIX or COMBSEAL_XOR, going on where a sender stopped: `next` is the counter of
 * the next message and `blocks` what those before it took of the key's limit (both 0 at first).
 * With a `next` that is too small nonces repeat, and nobody can tell. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealer_new_with(combseal_sealer **sealer,
                                                              const combseal_key *key, int form,
                                                              const uint8_t *base, size_t base_len,
                                                              uint64_t next, uint64_t blocks);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealer_init(void *place, size_t place_len,
                                                          const combseal_key *key, int form,
                                                          const uint8_t *base, size_t base_len,
                                                          uint64_t next, uint64_t blocks);
COMBSEAL_API size_t combseal_sealer_sizeof(void);
COMBSEAL_API size_t combseal_sealer_alignof(void);
COMBSEAL_API void combseal_sealer_free(combseal_sealer *sealer);

/* As combseal_seal and combseal_seal_attached. The nonce is written to `nonce`, of the key's nonce
 * length; who counts on both sides gives NULL and 0. After an error no nonce has been used, and
 * `nonce` is zero too. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealer_seal(combseal_sealer *sealer,
                                                          const uint8_t *ad, size_t ad_len,
                                                          const uint8_t *in, size_t len,
                                                          uint8_t *out, uint8_t *tag,
                                                          size_t tag_len, uint8_t *nonce,
                                                          size_t nonce_len);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealer_seal_attached(
    combseal_sealer *sealer, const uint8_t *ad, size_t ad_len, const uint8_t *in, size_t len,
    uint8_t *out, size_t capacity, size_t *out_len, uint8_t *nonce, size_t nonce_len);

/* For a record that survives a restart: the next message's counter, and blocks of 16 bytes that were
 * sealed, with two more a message. And how many blocks are left. 0 of what does not live. */
COMBSEAL_API uint64_t combseal_sealer_next_counter(const combseal_sealer *sealer);
COMBSEAL_API uint64_t combseal_sealer_blocks_used(const combseal_sealer *sealer);
COMBSEAL_API uint64_t combseal_sealer_blocks_left(const combseal_sealer *sealer);

/* How many messages late one may come and still be opened by an opener that watches. */
#define COMBSEAL_WINDOW 1984

/* Opens messages under one key; of one sender each at most once, if it is told which (RFC 6479). */
typedef struct combseal_opener combseal_opener;

/* With COMBSEAL_ANY (and NULL, 0) nothing is watched for replays; with COMBSEAL_PREFIX or
 * COMBSEAL_XOR messages of the one sender whose nonces are so made are opened once each, in any
 * order within COMBSEAL_WINDOW. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_opener_new(combseal_opener **opener,
                                                         const combseal_key *key, int form,
                                                         const uint8_t *base, size_t base_len);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_opener_init(void *place, size_t place_len,
                                                          const combseal_key *key, int form,
                                                          const uint8_t *base, size_t base_len);
COMBSEAL_API size_t combseal_opener_sizeof(void);
COMBSEAL_API size_t combseal_opener_alignof(void);
COMBSEAL_API void combseal_opener_free(combseal_opener *opener);

/* As combseal_open and combseal_open_attached. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_opener_open(combseal_opener *opener,
                                                          const uint8_t *nonce, size_t nonce_len,
                                                          const uint8_t *ad, size_t ad_len,
                                                          const uint8_t *in, size_t len,
                                                          uint8_t *out, const uint8_t *tag,
                                                          size_t tag_len);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_opener_open_attached(
    combseal_opener *opener, const uint8_t *nonce, size_t nonce_len, const uint8_t *ad,
    size_t ad_len, const uint8_t *in, size_t len, uint8_t *out, size_t capacity, size_t *out_len);

/* How many forgeries it has refused: with short tags, the number to watch. */
COMBSEAL_API uint64_t combseal_opener_forgeries(const combseal_opener *opener);

/* ---- Many messages at once ----------------------------------------------------------------- */

/* A message of a batch. To be set to zero first: fields may be added at its end. In place, `in` is
 * `out`. `tag` is written when sealing, and only read when opening. `result` is what a call by
 * itself would return. It may be the first field of a larger structure. */
typedef struct combseal_job {
    const combseal_key *key;
    const uint8_t *nonce;
    size_t nonce_len;
    const uint8_t *ad;
    size_t ad_len;
    const uint8_t *in;
    size_t len;
    uint8_t *out;
    uint8_t *tag;
    size_t tag_len;
    int result;
} combseal_job;

/* The memory of batches, used again from run to run. Batches run on the calling thread. */
typedef struct combseal_batch combseal_batch;

COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_batch_new(combseal_batch **batch);
COMBSEAL_API size_t combseal_batch_sizeof(void);
COMBSEAL_API size_t combseal_batch_alignof(void);
COMBSEAL_API void combseal_batch_free(combseal_batch *batch);

/* Seals, or opens, count jobs, of any mixture of keys and algorithms, job_size bytes from one to the
 * next: sizeof(combseal_job), or of the structure that begins with one. Returns the result of the
 * first job that failed.
 *
 * A message that is forged, or has a wrong length, or a nonce that an earlier job of the batch seals
 * with under the same key, fails alone, and its output is zero. A pointer that cannot be right, a key
 * that does not live, jobs that write where other jobs read or write, or that read or write a job itself,
 * are faults of the program: then nothing is done, all outputs are zero, and every job's result is an error.
 *
 * Where it cannot be told where the jobs are (a job_size that is less than sizeof(combseal_job) or not a
 * multiple of its alignment, `jobs` that is NULL or not aligned, a count that no memory has), NOTHING IS
 * TOUCHED, outputs and results neither: who looks at results alone sets them to an error first. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_batch_seal(combseal_batch *batch, combseal_job *jobs,
                                                         size_t count, size_t job_size);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_batch_open(combseal_batch *batch, combseal_job *jobs,
                                                         size_t count, size_t job_size);

/* Seals with the sealer's key and next nonces; the jobs' `key` is not looked at, their `nonce` is
 * NULL. *first_counter (unless NULL) is the first job's counter, and each job has the next one; if a
 * job fails for its length its nonce is used up. After COMBSEAL_ERROR_EXHAUSTED no later job is
 * sealed. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealer_seal_batch(combseal_sealer *sealer,
                                                                combseal_batch *batch,
                                                                combseal_job *jobs, size_t count,
                                                                size_t job_size,
                                                                uint64_t *first_counter);

/* ---- Columns: many short messages in one buffer -------------------------------------------- */

/* Messages ("values") that lie in one buffer one behind the other. With `offsets`, count + 1 of
 * them, of uint32_t or uint64_t as offset_size says (4 or 8), value i is from offset i to offset
 * i + 1, as in Apache Arrow; with NULL, each has value_len bytes. Sealed values ("cells") are values
 * too. */
typedef struct combseal_values {
    const uint8_t *data;
    size_t data_len;
    const void *offsets;
    size_t offset_size;
    size_t count;
    size_t value_len;
} combseal_values;

/* Counts the nonces of columns: a prefix, then a counter of eight bytes. `next` and `blocks` are as
 * of combseal_sealer_new_with. */
typedef struct combseal_counter combseal_counter;

COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_counter_new(combseal_counter **counter,
                                                          const uint8_t *prefix, size_t prefix_len,
                                                          uint64_t next, uint64_t blocks);
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_counter_init(void *place, size_t place_len,
                                                           const uint8_t *prefix,
                                                           size_t prefix_len, uint64_t next,
                                                           uint64_t blocks);
COMBSEAL_API size_t combseal_counter_sizeof(void);
COMBSEAL_API size_t combseal_counter_alignof(void);
COMBSEAL_API void combseal_counter_free(combseal_counter *counter);
COMBSEAL_API uint64_t combseal_counter_next(const combseal_counter *counter);
COMBSEAL_API uint64_t combseal_counter_blocks_used(const combseal_counter *counter);

/* Where a column's nonces come from. GIVEN: `bytes`, of count times the key's nonce length; that
 * none repeats is the caller's part. COUNTED, to seal: `counter`'s next. COUNTED_FROM, to open:
 * `bytes` is the prefix, `first` what sealing told. NONE: SIV alone; equal values become equal
 * cells. */
#define COMBSEAL_NONCES_GIVEN 0
#define COMBSEAL_NONCES_COUNTED 1
#define COMBSEAL_NONCES_COUNTED_FROM 2
#define COMBSEAL_NONCES_NONE 3
typedef struct combseal_nonces {
    int kind;
    const uint8_t *bytes;
    size_t len;
    combseal_counter *counter;
    uint64_t first;
} combseal_nonces;

/* Bytes of the output: a cell is `front` bytes, which are the caller's own, and the tag's length
 * longer than its value. */
COMBSEAL_API int combseal_columns_sealed_len(const combseal_key *key, size_t front,
                                             const combseal_values *values, size_t *len);
COMBSEAL_API int combseal_columns_opened_len(const combseal_key *key, size_t front,
                                             const combseal_values *cells, size_t *len);
/* Writes where each sealed (opened != 0: opened) value begins, and where the last one ends: count + 1
 * numbers of offset_size bytes. After an error they are zero, unless it cannot be told where they are: their
 * size is not 4 or 8, `offsets` is not aligned, `values` is NULL. */
COMBSEAL_API int combseal_columns_offsets(const combseal_key *key, size_t front,
                                          const combseal_values *values, int opened, void *offsets,
                                          size_t offset_size);

/* Seals all values, with the same associated data, to `out`, of the length that
 * combseal_columns_sealed_len tells. The `front` bytes of each cell are left as they are. *first
 * (unless NULL) is the first value's counter, if nonces are counted: to be stored. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_columns_seal(
    const combseal_key *key, const combseal_nonces *nonces, const uint8_t *ad, size_t ad_len,
    size_t front, const combseal_values *values, uint8_t *out, size_t out_len, uint64_t *first);

/* Opens all cells. Bit i % 8 of byte i / 8 of `authentic`, of (count + 7) / 8 bytes, says whether
 * value i is authentic. COMBSEAL_ERROR_FORGED if any is not: zeros are in its place, and all others
 * are opened. After any other error all of `out` and `authentic` is zero. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_columns_open(
    const combseal_key *key, const combseal_nonces *nonces, const uint8_t *ad, size_t ad_len,
    size_t front, const combseal_values *cells, uint8_t *out, size_t out_len, uint8_t *authentic,
    size_t authentic_len);

/* ---- Streams (builds with the feature `stream`) --------------------------------------------
 *
 * Data of any length, in memory that does not grow, as the `combseal` command's sealed files. */

/* A key of 32 random bytes; or, where `key` is NULL, a passphrase. Costs are those of Argon2id (RFC
 * 9106): all zero for the usual ones. When opening they are the most that a header may ask for, and each that
 * is zero is the usual cap. The product of memory_kib and passes has a cap too, which only both together
 * lift: more passes with memory_kib 0 open nothing that takes more work than usual. */
typedef struct combseal_lock {
    const uint8_t *key;
    const uint8_t *passphrase;
    size_t passphrase_len;
    uint32_t memory_kib, passes, lanes;
} combseal_lock;

/* Zero, and NULL for the whole, is what is usual: OCB3-AES-256, segments of 64 KiB, no context, the
 * threads of this machine (1: the caller's alone), four slots for keys. `context` is what the stream
 * belongs to, without which it does not open. Opening looks at context and threads alone. */
typedef struct combseal_stream_options {
    const char *algorithm;
    size_t segment_len;
    const uint8_t *context;
    size_t context_len;
    size_t threads;
    uint8_t slots;
} combseal_stream_options;

/* Takes all len bytes; returns 0, or anything else if it failed. */
typedef int (*combseal_write_fn)(void *user, const uint8_t *data, size_t len);
/* Gives up to len bytes; returns how many, 0 at the end, or a negative number if it failed. */
typedef ptrdiff_t (*combseal_read_fn)(void *user, uint8_t *data, size_t len);

typedef struct combseal_sealing combseal_sealing;
typedef struct combseal_opening combseal_opening;

/* Begins a stream that each of the locks opens; the header is written. Both functions are called
 * from the thread that calls; they must return (no longjmp), and not use the stream that calls them. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealing_new(combseal_sealing **sealing,
                                                          const combseal_stream_options *options,
                                                          const combseal_lock *locks,
                                                          size_t lock_count,
                                                          combseal_write_fn write, void *user);
COMBSEAL_API size_t combseal_sealing_sizeof(void);
COMBSEAL_API size_t combseal_sealing_alignof(void);
/* Seals what is written, in pieces of any length. After an error the stream cannot go on. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealing_write(combseal_sealing *sealing,
                                                            const uint8_t *data, size_t len);
/* Writes the end of the stream. Without it, who opens the stream is told that it was cut. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_sealing_finish(combseal_sealing *sealing);
COMBSEAL_API void combseal_sealing_free(combseal_sealing *sealing);

/* Reads a stream's header and unlocks it. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_opening_new(combseal_opening **opening,
                                                          const combseal_stream_options *options,
                                                          const combseal_lock *with,
                                                          combseal_read_fn read, void *user);
COMBSEAL_API size_t combseal_opening_sizeof(void);
COMBSEAL_API size_t combseal_opening_alignof(void);
/* Gives up to len verified bytes: *out_len of them. What was given is a beginning of what was sealed
 * until a call returns 0 and *out_len is 0 (with len > 0): then it is the whole. */
COMBSEAL_MUST_CHECK COMBSEAL_API int combseal_opening_read(combseal_opening *opening, uint8_t *out,
                                                           size_t len, size_t *out_len);
COMBSEAL_API void combseal_opening_free(combseal_opening *opening);

#ifdef __cplusplus
}
#endif

#endif /* COMBSEAL_H */

// Measures what libuv's own timers cost: a binary heap of uv_timer_t.
#include <stdlib.h>
#include <time.h>
#include <uv.h>

#include "reference_server.h"

static size_t expired_count;

static void expired(uv_timer_t *timer) {
    (void)timer;
    expired_count++;
}

static int64_t cpu_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void start_all(uv_loop_t *loop, uv_timer_t *timers, const uint32_t *timeouts, size_t count,
                      uint32_t divisor) {
    for (size_t index = 0; index < count; index++) {
        uv_timer_init(loop, &timers[index]);
        uv_timer_start(&timers[index], expired, timeouts[index] / divisor, 0);
    }
}

// The loop's time stands still between calls of uv_run, so all timeouts count from one moment. This
// sleeps for the longest of them, and then one uv_run without waiting finds all of them due: it
// removes each from the heap in order and calls it. How far apart the timeouts are makes no
// difference to the heap; dividing them only shortens the sleep. The loop contains nothing else, so
// uv_run does only a few microseconds of other work in all.
static int64_t expire_all(uv_loop_t *loop, uint32_t longest) {
    expired_count = 0;
    struct timespec wait = {longest / 1000 + 1, 0};
    while (nanosleep(&wait, &wait) != 0) continue;
    int64_t start = cpu_time();
    uv_run(loop, UV_RUN_NOWAIT);
    return cpu_time() - start;
}

static int measure(uv_loop_t *loop, uv_timer_t *timers, const struct reference_timers_input *input,
                   struct reference_timers_result *result) {
    const size_t count = input->count;
    uv_update_time(loop);
    int64_t start = cpu_time();
    start_all(loop, timers, input->timeouts, count, 1);
    result->insert = cpu_time() - start;

    start = cpu_time();
    for (size_t index = 0; index < count; index++) {
        uv_timer_start(&timers[input->order[index]], expired, input->moves[index], 0);
    }
    result->move = cpu_time() - start;

    start = cpu_time();
    for (size_t index = 0; index < count; index++) uv_timer_stop(&timers[input->order[index]]);
    result->cancel = cpu_time() - start;

    for (size_t index = 0; index < count; index++) uv_close((uv_handle_t *)&timers[index], NULL);
    uv_run(loop, UV_RUN_DEFAULT);

    uint32_t longest = 0;
    for (size_t index = 0; index < count; index++) {
        if (input->timeouts[index] > longest) longest = input->timeouts[index];
    }
    const uint32_t divisor = longest / 1000 + 1;
    uv_update_time(loop);
    start_all(loop, timers, input->timeouts, count, divisor);
    result->expire = expire_all(loop, longest / divisor);
    for (size_t index = 0; index < count; index++) uv_close((uv_handle_t *)&timers[index], NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    return expired_count == count ? 0 : UV_EIO;
}

int reference_timers(const struct reference_timers_input *input,
                     struct reference_timers_result *result) {
    uv_loop_t loop;
    int status = uv_loop_init(&loop);
    if (status != 0) return status;
    uv_timer_t *timers = malloc(input->count * sizeof(uv_timer_t));
    result->bytes = sizeof(uv_timer_t);
    status = timers == NULL ? UV_ENOMEM : measure(&loop, timers, input, result);
    free(timers);
    uv_loop_close(&loop);
    return status;
}

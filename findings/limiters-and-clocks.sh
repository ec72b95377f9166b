#!/usr/bin/env bash
# Twelve rate limiters for Python, each set to five a second, under callers that come in bursts. Five in any one second is all that
# limits 5.8.0 lets through with its moving window, and pyrate-limiter 4.5.1. The others let 8 to 10 through: the fixed windows, at
# their edges; the buckets, whose burst comes on top, among them aiolimiter 1.3.0 and one that throttled-py 3.5.0 calls leaking; and
# both libraries' sliding windows, which only estimate. When the machine's clock is set back by an hour, limits' fixed window and
# its moving window, the stricter ones, let nothing through for that hour: they compare with wall time. Both clocks are played here.
# Expected: the most that was let through within a second, and for how long nothing is after the step.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q limits==5.8.0 ratelimit==2.2.1 aiolimiter==1.3.0 pyrate-limiter==4.5.1 token-bucket==0.4.0 throttled-py==3.5.0 \
    2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >limiters.py <<'END'
import asyncio, importlib.metadata, random, time
wall, steady = 1_800_000_000.0, 1000.0
time.time, time.time_ns = lambda: wall, lambda: round(wall * 1e9)
time.monotonic = time.perf_counter = lambda: steady
time.monotonic_ns = time.perf_counter_ns = lambda: round(steady * 1e9)
import aiolimiter, limits, pyrate_limiter, ratelimit, throttled, token_bucket
def passes(seconds):
    global wall, steady
    wall += seconds
    steady += seconds
def limits_(strategy):
    limiter, rate = getattr(limits.strategies, strategy)(limits.storage.MemoryStorage()), limits.RateLimitItemPerSecond(5)
    return lambda: limiter.hit(rate, "key")
def ratelimit_():
    limited = ratelimit.limits(calls=5, period=1)(lambda: True)
    def call():
        try: return limited()
        except ratelimit.RateLimitException: return False
    return call
def pyrate_limiter_():
    limiter = pyrate_limiter.Limiter(pyrate_limiter.InMemoryBucket([pyrate_limiter.Rate(5, 1000)]))
    return lambda: limiter.try_acquire("key", blocking=False)
def token_bucket_():
    limiter = token_bucket.Limiter(5, 5, token_bucket.MemoryStorage())
    return lambda: limiter.consume("key")
def aiolimiter_():
    loop = asyncio.new_event_loop()
    loop.time = lambda: steady
    limiter = aiolimiter.AsyncLimiter(5, 1)
    async def call():
        if not limiter.has_capacity(): return False
        await limiter.acquire()
        return True
    return lambda: loop.run_until_complete(call())
def throttled_(using):
    limiter = throttled.Throttled("key", using=using, quota=throttled.per_sec(5, burst=5), store=throttled.MemoryStore())
    return lambda: not limiter.limit().limited
def most(call):
    random.seed(1)
    taken = []
    for _ in range(2000):
        passes(random.choice((0.01, 0.01, 0.01, 0.1, 0.7)))
        if call(): taken.append(steady)
    return max(sum(start <= at < start + 0.999 for at in taken[number:number + 40]) for number, start in enumerate(taken))
def silent(call):
    global wall
    for _ in range(20): call()
    wall -= 3600
    for waited in range(4000):
        passes(1)
        if call(): return waited + 1
for package, name, make in (
    ("limits", "fixed window", lambda: limits_("FixedWindowRateLimiter")),
    ("limits", "moving window", lambda: limits_("MovingWindowRateLimiter")),
    ("limits", "sliding window", lambda: limits_("SlidingWindowCounterRateLimiter")), ("ratelimit", "", ratelimit_),
    ("pyrate-limiter", "", pyrate_limiter_), ("token-bucket", "", token_bucket_), ("aiolimiter", "", aiolimiter_),
    *(("throttled-py", name, lambda name=name: throttled_(name))
      for name in ("fixed_window", "sliding_window", "token_bucket", "leaking_bucket", "gcra"))):
    print(package, importlib.metadata.version(package), name, "most:", most(make()), "silent:", silent(make()), "s")
END
venv/bin/python limiters.py | tee found
diff found - <<'END'
limits 5.8.0 fixed window most: 9 silent: 3601 s
limits 5.8.0 moving window most: 5 silent: 3602 s
limits 5.8.0 sliding window most: 9 silent: 1 s
ratelimit 2.2.1  most: 9 silent: 1 s
pyrate-limiter 4.5.1  most: 5 silent: 2 s
token-bucket 0.4.0  most: 9 silent: 1 s
aiolimiter 1.3.0  most: 9 silent: 1 s
throttled-py 3.5.0 fixed_window most: 10 silent: 1 s
throttled-py 3.5.0 sliding_window most: 8 silent: 1 s
throttled-py 3.5.0 token_bucket most: 10 silent: 2 s
throttled-py 3.5.0 leaking_bucket most: 10 silent: 2 s
throttled-py 3.5.0 gcra most: 9 silent: 1 s
END

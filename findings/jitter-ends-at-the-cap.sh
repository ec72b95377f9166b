#!/usr/bin/env bash
# Jitter keeps clients that were cut off together from coming back together. It matters most when the outage is long, and then
# each waits its longest wait. Ten retry policies for Python, asked for waits that double from 1 s to 10 s at most, with jitter:
# tenacity 9.2.1 (wait_exponential_jitter), stamina 26.1.0, which is built on it, urllib3 2.8.0, httpx-retries 0.6.0 and retry
# 0.9.2 add the jitter before they cap the wait, so that from some try on all clients wait 10 s exactly, until the server is
# back. retrying 1.4.2 and aiohttp-retry 2.9.1 add it afterwards and wait longer than their maximum; backoff 2.2.1,
# google-api-core 2.44.0 and tenacity's wait_random_exponential draw from the capped wait.
# Expected: of 100 clients, how many wait as long as another does, the second time and the twelfth; the longest twelfth wait.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q tenacity==9.2.1 stamina==26.1.0 urllib3==2.8.0 httpx-retries==0.6.0 retrying==1.4.2 retry==0.9.2 backoff==2.2.1 \
    google-api-core==2.44.0 aiohttp-retry==2.9.1 requests 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >waits.py <<'END'
import importlib.metadata, random, time
import aiohttp_retry, backoff, google.api_core.retry, httpx_retries, retry.api, retrying, stamina, tenacity, urllib3
random.seed(1)
stamina.instrumentation.set_on_retry_hooks([])
waits, tries = [], 14
time.sleep = waits.append
def fails():
    if len(waits) >= 12: raise KeyboardInterrupt
    raise ConnectionError
def tenacity_(wait): tenacity.Retrying(stop=tenacity.stop_after_attempt(tries), wait=wait)(fails)
def stamina_():
    stamina.RetryingCaller(attempts=tries, timeout=None, wait_initial=1, wait_max=10, wait_jitter=1)(ConnectionError, fails)
def urllib3_():
    policy = urllib3.Retry(total=tries, backoff_factor=1, backoff_max=10, backoff_jitter=1)
    while len(waits) < 12:
        policy = policy.increment("GET", "/", error=ConnectionError())
        policy.sleep()
def httpx_retries_():
    policy = httpx_retries.Retry(total=tries, backoff_factor=1, max_backoff_wait=10, backoff_jitter=1)
    while len(waits) < 12:
        policy = policy.increment()
        policy.sleep({})
def retrying_():
    retrying.Retrying(wait_exponential_multiplier=500, wait_exponential_max=10000, wait_jitter_max=1000).call(fails)
def retry_(): retry.api.retry_call(fails, tries=tries, delay=1, backoff=2, max_delay=10, jitter=(0, 1), logger=None)
def backoff_(): backoff.on_exception(backoff.expo, ConnectionError, max_tries=tries, max_value=10)(fails)()
def google_(): google.api_core.retry.Retry(lambda error: isinstance(error, ConnectionError), 1, 10, 2, timeout=None)(fails)()
def aiohttp_retry_():
    policy = aiohttp_retry.JitterRetry(attempts=tries, start_timeout=1, max_timeout=10, random_interval_size=1)
    waits.extend(policy.get_timeout(attempt) for attempt in range(12))
def same(values): return sum(values.count(value) > 1 for value in values)
for package, run in (("tenacity", lambda: tenacity_(tenacity.wait_exponential_jitter(initial=1, max=10, jitter=1))), ("stamina", stamina_),
                     ("urllib3", urllib3_), ("httpx-retries", httpx_retries_), ("retrying", retrying_), ("retry", retry_),
                     ("tenacity", lambda: tenacity_(tenacity.wait_random_exponential(multiplier=1, max=10))), ("backoff", backoff_),
                     ("google-api-core", google_), ("aiohttp-retry", aiohttp_retry_)):
    second, twelfth = [], []
    for _ in range(100):
        waits.clear()
        try: run()
        except KeyboardInterrupt: pass
        second.append(waits[1])
        twelfth.append(waits[11])
    longest = max(twelfth)
    print(package, importlib.metadata.version(package), same(second), same(twelfth), "10 s" if longest == 10 else "less" if longest < 10 else "more")
END
venv/bin/python waits.py | tee found
diff found - <<'END'
tenacity 9.2.1 0 100 10 s
stamina 26.1.0 0 100 10 s
urllib3 2.8.0 0 100 10 s
httpx-retries 0.6.0 0 100 10 s
retrying 1.4.2 0 0 more
retry 0.9.2 0 100 10 s
tenacity 9.2.1 0 0 less
backoff 2.2.1 0 0 less
google-api-core 2.44.0 0 0 less
aiohttp-retry 2.9.1 0 0 more
END

package io.github.reloadrouter;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Publishes pushes to a router, over a connection that is restored when it is lost.
 *
 * <pre>{@code
 * try (Publisher publisher = Publisher.connect(
 *         PublisherOptions.of("router.example.com", "com.mygame", "shard-7").token(secret))) {
 *     publisher.push("{\"event\":\"healing-potion\",\"character\":\"elf-42\"}");
 *     publisher.flush(Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * <p>Pushes are pipelined: {@code push} returns as soon as the queue has capacity, {@code flush}
 * when the router has answered everything. After a lost connection, what the router has not
 * accepted is sent again under the same numbers; each push takes effect once. All methods may be
 * called from any thread.
 */
public final class Publisher implements AutoCloseable {
    /** How much of the outbox is kept although all of it is settled, between two ticks. */
    private static final long KEPT_OUTBOX_BYTES = 1 << 20;

    /** How often the file of an outbox is brought up to date, also while there is no connection. */
    private static final long OUTBOX_PERIOD = TimeUnit.MILLISECONDS.toNanos(250);

    private final PublisherOptions options;
    private final RouterConnection connection;
    private final Thread tender = new Thread(this::tend, "reload-router-outbox");
    /** Notified when pushes are settled, when some are to be sent, and when the publisher ends. */
    private final Object lock = new Object();

    // What follows is guarded by the lock.
    private final PushQueue queue = new PushQueue();
    private final Outbox outbox;
    private final List<PublisherEvent> events = new ArrayList<>();
    private boolean isDelivering;
    /** Whether the number of the next push is known. */
    private boolean isNumbered;
    /** The last push of which the router knows, by what it has said. */
    private long known;
    /** What the last HELLO has said of it. */
    private long acked;
    private PublisherException end;
    private long maxBody = 65_536;
    private int waiters;
    private long sent;
    private long acknowledged;
    private long rejected;
    private long matched;
    private long sessions;
    /** Why the last connection, or attempt, has ended; null after WELCOME. */
    private RouterConnection.Loss loss;
    /** What is to be logged, because there is no listener. */
    private String warning;

    private Publisher(PublisherOptions options) {
        this.options = options;
        Outbox opened = null;
        try {
            connection = new RouterConnection(options, this, lock);
            if (options.outbox != null) {
                opened = new Outbox(options.outbox, options.app, options.producer, queue);
            }
        } catch (GeneralSecurityException e) {
            throw new PublisherException("security", "TLS: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new PublisherException("outbox", e.getMessage(), e);
        }
        outbox = opened;
        isNumbered = opened != null && !opened.isNew();
        known = queue.settled();
    }

    /**
     * Makes a publisher, and returns when the router has accepted its first session; from then on it
     * stays connected by itself.
     *
     * @throws PublisherException if a certificate, a key or the outbox cannot be read, if the router
     *     refuses the publisher, or {@code not-connected} with the last reason if that takes longer
     *     than {@link PublisherOptions#connectLimit}, 10 s by default; the publisher is closed then
     */
    public static Publisher connect(PublisherOptions options) throws InterruptedException {
        Publisher publisher = start(options);
        boolean isConnected = false;
        try {
            publisher.awaitSession(options.connectLimit);
            isConnected = true;
        } finally {
            if (!isConnected) {
                publisher.close();
            }
        }
        return publisher;
    }

    /**
     * Makes a publisher and returns at once; it connects in the background, as often as is needed.
     *
     * @throws PublisherException if a certificate, a key or the outbox cannot be read
     */
    public static Publisher start(PublisherOptions options) {
        Publisher publisher = new Publisher(options);
        for (Thread thread : publisher.threads()) {
            thread.setDaemon(true);
            thread.start();
        }
        return publisher;
    }

    private void awaitSession(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (lock) {
            while (sessions == 0) {
                long left = deadline - System.nanoTime();
                if (end != null) {
                    throw new PublisherException(end.code(), end.getMessage(), end);
                }
                if (left <= 0) {
                    String reason = loss == null ? "no attempt has ended yet" : loss.getMessage();
                    throw new PublisherException(
                            "not-connected",
                            "no session with " + options.address() + " within " + limit.toMillis()
                                    + " ms: " + reason,
                            loss);
                }
                await(left);
            }
        }
    }

    private List<Thread> threads() {
        return outbox == null ? List.of(connection.thread()) : List.of(connection.thread(), tender);
    }

    /**
     * Publishes a push; waits while the queue is full, and until the first session, which says how
     * pushes are numbered.
     *
     * @return the push's number, which a rejection of it names
     * @throws PublisherException if the push is too long, the outbox cannot be written, or the
     *     publisher has ended
     */
    public long push(Push push) throws InterruptedException {
        byte[] frame = Frames.encode(push);
        synchronized (lock) {
            while (!hasCapacity()) {
                await(Long.MAX_VALUE);
            }
            return add(frame);
        }
    }

    /** Publishes a push of a JSON object as text; see {@link #push(Push)}. */
    public long push(String payload) throws InterruptedException {
        return push(Push.of(payload));
    }

    /**
     * Publishes a push if there is capacity now; never waits for the router.
     *
     * @return the push's number; empty if the queue is full or no session has begun yet
     * @throws PublisherException if the push is too long, the outbox cannot be written, or the
     *     publisher has ended
     */
    public OptionalLong tryPush(Push push) {
        byte[] frame = Frames.encode(push);
        synchronized (lock) {
            return hasCapacity() ? OptionalLong.of(add(frame)) : OptionalLong.empty();
        }
    }

    /** Publishes a JSON object as text if there is capacity; see {@link #tryPush(Push)}. */
    public OptionalLong tryPush(String payload) {
        return tryPush(Push.of(payload));
    }

    /**
     * Waits until the router has answered every push published so far, and the listener has been
     * called with each rejection.
     *
     * @return false if that takes longer than the time, or the publisher ends before
     */
    public boolean flush(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (lock) {
            long target = queue.next() - 1;
            while (queue.settled() < target || isDelivering || !events.isEmpty()) {
                long left = deadline - System.nanoTime();
                if (end != null || left <= 0) {
                    return queue.settled() >= target;
                }
                await(left);
            }
            return true;
        }
    }

    /** Returns the counters. */
    public PublisherStatistics statistics() {
        synchronized (lock) {
            return new PublisherStatistics(
                    queue.waiting(), sent, acknowledged, rejected, matched, Math.max(0, sessions - 1));
        }
    }

    /**
     * Ends the session at once. Pushes that were not flushed may be lost, unless there is an
     * outbox. Closing twice does nothing.
     */
    @Override
    public void close() {
        end(new PublisherException("closed", "the publisher is closed"));
        boolean wasInterrupted = false;
        for (Thread thread : threads()) {
            while (thread.isAlive() && thread != Thread.currentThread()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (lock) {
            try (Outbox closing = outbox) {
                record();
                if (closing != null) {
                    closing.sync();
                }
            } catch (IOException e) {
                // The pushes in the file are only sent again, under the same numbers.
            }
        }
    }

    // With the lock, for the methods above.

    private boolean hasCapacity() {
        if (end != null) {
            throw new PublisherException(end.code(), end.getMessage(), end);
        }
        return isNumbered
                && queue.waiting() < options.queuedPushes
                && queue.byteCount() < options.queuedBytes
                && (outbox == null || outbox.size() < options.outboxBytes);
    }

    private long add(byte[] frame) {
        int body = frame.length - Frames.HEADER_BYTES;
        if (body > maxBody) {
            throw new PublisherException(
                    "frame-length", "the push has " + body + " bytes; the router takes " + maxBody);
        }
        long seq = queue.next();
        Frames.setSeq(frame, seq);
        try {
            if (outbox != null) {
                outbox.append(frame);
            }
        } catch (IOException e) {
            throw new PublisherException("outbox", "the outbox: " + e.getMessage(), e);
        }
        queue.append(frame);
        connection.wake();
        return seq;
    }

    private void await(long nanos) throws InterruptedException {
        if (Thread.currentThread() == connection.thread()) {
            throw new IllegalStateException("a listener must not wait for its publisher");
        }
        waiters++;
        try {
            TimeUnit.NANOSECONDS.timedWait(lock, nanos);
        } finally {
            waiters--;
        }
    }

    private void progressed() {
        if (waiters > 0) {
            lock.notifyAll();
        }
    }

    private void end(PublisherException reason) {
        synchronized (lock) {
            end = end == null ? reason : end;
            connection.disconnect();
        }
    }

    /** Records in the outbox what is settled. */
    private void record() throws IOException {
        if (outbox != null && isNumbered) {
            outbox.settle(queue.settled(), queue.waiting() == 0);
        }
    }

    /** Brings the file of the outbox up to date until the publisher ends. */
    private void tend() {
        for (pause(OUTBOX_PERIOD); !isOver(); pause(OUTBOX_PERIOD)) {
            try {
                synchronized (lock) {
                    record();
                }
            } catch (IOException e) {
                fail("outbox", "the outbox: " + e.getMessage());
            }
            syncOutbox();
        }
    }

    // For the connection. Those that do not say otherwise are called with the lock.

    PushQueue queue() {
        return queue;
    }

    /** Called with or without the lock. */
    boolean isOver() {
        synchronized (lock) {
            return end != null;
        }
    }

    /** Waits until a time is over, or the publisher; called without the lock. */
    void pause(long nanos) {
        long deadline = System.nanoTime() + nanos;
        synchronized (lock) {
            try {
                while (end == null && deadline - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(lock, deadline - System.nanoTime());
                }
            } catch (InterruptedException e) {
                // Only the end of the publisher ends its threads.
            }
        }
    }

    /**
     * The number for HELLO up to which it is known what became of the pushes. It is 0 at first, so
     * that the router lists what an earlier run had rejected.
     */
    long acked() {
        acked = isNumbered ? Math.min(queue.settled(), known) : 0;
        return acked;
    }

    void countSent(int count) {
        sent += count;
    }

    /** Writes what was pushed to the disk, before it is sent; called without the lock. */
    void syncOutbox() {
        try {
            if (outbox != null) {
                outbox.sync();
            }
        } catch (IOException e) {
            fail("outbox", "the outbox: " + e.getMessage());
        }
    }

    /**
     * Begins a session: settles what the router has, which it may have rejected. In the first one,
     * these are pushes of an earlier run: no number of theirs is used again, because a rejected one
     * would be listed again after a cut.
     */
    void welcomed(Map<?, ?> welcome) throws IOException {
        long lastSeq = Json.number(welcome, "lastSeq", 0);
        long taken = lastSeq;
        maxBody = Json.number(welcome, "maxBody", maxBody);
        sessions++;
        loss = null;
        events.add(new PublisherEvent.Connected(lastSeq));
        long behind = Json.number(welcome, "behind", 0);
        if (behind > 0 && behind <= acked) {
            known = acked - behind;
            events.add(new PublisherEvent.Lost(known + 1, acked));
        }
        if (welcome.get("rejected") instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> push) {
                    String message = "refused; the sentence was lost with a connection";
                    long seq = Json.number(push, "seq", 0);
                    reject(seq, Json.text(push, "code", ""), message);
                    known = Math.max(known, seq);
                    taken = isNumbered ? taken : Math.max(taken, seq);
                }
            }
        }
        known = Math.max(known, lastSeq);
        settle(taken);
        for (long seq = queue.settled() + 1; seq < queue.next(); seq++) {
            if (queue.bodyBytes(seq) > maxBody) {
                reject(seq, "frame-length", "the router takes " + maxBody + " bytes");
            }
        }
        isNumbered = true;
        record();
        progressed();
    }

    /** Reports what became of a push. */
    void outcome(long seq, Map<String, Object> body) {
        events.add(new PublisherEvent.Outcome(seq, body));
    }

    /** Settles the pushes up to one that the router has acknowledged. */
    void acknowledged(long seq, long widgets) throws IOException {
        matched += widgets;
        known = Math.max(known, seq);
        settle(seq);
    }

    /** Marks a push as refused by the router. */
    void refused(long seq, String code, String message) throws IOException {
        known = Math.max(known, seq);
        reject(seq, code, message);
    }

    private void settle(long seq) throws IOException {
        acknowledged += queue.settle(seq);
        progressed();
        if (outbox != null && queue.waiting() == 0 && outbox.size() > KEPT_OUTBOX_BYTES) {
            record();
        }
    }

    private void reject(long seq, String code, String message) throws IOException {
        if (queue.reject(seq)) {
            if (outbox != null) {
                outbox.reject(seq);
            }
            rejected++;
            events.add(new PublisherEvent.Rejected(seq, code, message));
        }
    }

    /** Reports the end of a connection; ends the publisher if another one is no use. */
    void lost(RouterConnection.Loss loss) {
        if (end == null) {
            if (this.loss == null) {
                String further = loss.retry.equals("no") ? "no further attempt" : "tried again";
                warning = "no session with " + options.address() + ": " + loss.getMessage() + " (" + further + ")";
            }
            this.loss = loss;
            events.add(new PublisherEvent.Disconnected(loss.code, loss.retry, loss.getMessage()));
            if (loss.retry.equals("no")) {
                fail(loss.code, loss.getMessage());
            }
        }
    }

    /** Ends the publisher for good, and reports it; called with or without the lock. */
    private void fail(String code, String message) {
        synchronized (lock) {
            if (end == null) {
                events.add(new PublisherEvent.Failed(code, message));
                end(new PublisherException(code, message));
            }
        }
    }

    /** Calls the listener with the events so far; called without the lock, by one thread. */
    void deliver() {
        while (true) {
            List<PublisherEvent> batch;
            warn();
            synchronized (lock) {
                isDelivering = !events.isEmpty();
                if (!isDelivering) {
                    progressed();
                    return;
                }
                batch = List.copyOf(events);
                events.clear();
            }
            for (PublisherEvent event : options.listener == null ? List.<PublisherEvent>of() : batch) {
                try {
                    options.listener.accept(event);
                } catch (RuntimeException e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        }
    }

    /** Logs the first failure of a row if there is no listener; called without the lock. */
    private void warn() {
        String text;
        synchronized (lock) {
            text = warning;
            warning = null;
        }
        if (text != null && options.listener == null) {
            System.getLogger("io.github.reloadrouter").log(System.Logger.Level.WARNING, text);
        }
    }
}

package io.github.reloadrouter;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * What a publisher does in its own threads: it connects to the router, again when the connection is
 * lost, and passes frames.
 *
 * <p>One thread connects, reads and calls the listener; the other writes, because a blocking socket
 * keeps a thread that reads. Its lock, that of this object, guards the queue, too. No thread has it
 * while it waits for the network, the disk or the listener.
 */
final class RouterConnection {
    static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final int BATCH_BYTES = 256 << 10;
    /** The most bytes of PONGs that wait to be sent. */
    private static final int MOST_CONTROL_BYTES = 64 << 10;
    /** How often the reader looks up from its socket, in milliseconds. */
    private static final int TICK = 100;

    private enum Phase { CLOSED, OPENING, OPEN, DRAINING }

    final PushQueue queue;
    final PublisherOptions options;
    private final Consumer<PublisherEvent> listener;
    final SSLContext context;
    final Thread reader = new Thread(this::run, "reload-router-publisher");
    final Thread writer = new Thread(this::write, "reload-router-writer");

    /** Why the publisher is over; null while it is not. */
    private volatile PublisherException end;
    /** Why the last connection, or attempt, has ended. */
    private PublisherException loss = lost("no attempt has ended yet", null);
    /** The reader alone sets it. */
    private Phase phase = Phase.CLOSED;
    private Socket socket = new Socket();
    /** Where frames are written to; null before there is a connection, and after a write that failed. */
    private OutputStream out;
    /** HELLO, PINGs and PONGs, which go before pushes. */
    private final ByteArrayOutputStream control = new ByteArrayOutputStream();
    private boolean hasLogged;

    RouterConnection(PublisherOptions options) {
        this.options = options;
        listener = options.listener == null ? this::log : options.listener;
        try {
            context = options.isPlain ? null : Tls.context(options);
        } catch (IOException | GeneralSecurityException e) {
            throw new PublisherException("security", "TLS: " + e.getMessage(), e);
        }
        try {
            queue = new PushQueue(options);
        } catch (IOException e) {
            throw new PublisherException("outbox", "the outbox: " + e.getMessage(), e);
        }
        reader.setDaemon(true);
        writer.setDaemon(true);
    }

    // What callers wait for.

    /** Returns when the router has accepted a session; throws if that takes too long, with the last reason. */
    synchronized void awaitSession() throws InterruptedException {
        if (!await(queue::hasSession, options.connectLimit)) {
            check();
            throw new PublisherException("not-connected", "no session with " + options.address() + " within "
                    + options.connectLimit.toMillis() + " ms: " + loss.getMessage(), loss);
        }
    }

    /** Waits as {@link #sleep} does, for a thread that is not the listener's. */
    boolean await(BooleanSupplier isSo, Duration limit) throws InterruptedException {
        if (Thread.currentThread() == reader && !isSo.getAsBoolean()) {
            throw new IllegalStateException("a listener must not wait for its publisher");
        }
        return sleep(isSo, limit);
    }

    /** Waits until something is so; false if the time or the publisher is over before. */
    private synchronized boolean sleep(BooleanSupplier isSo, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!isSo.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (end != null || left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Throws why the publisher is over, if it is. */
    void check() {
        if (end != null) {
            throw new PublisherException(end.code(), end.getMessage(), end);
        }
    }

    // The end of a connection, and of all.

    /** Ends the publisher for good, once; those who wait learn why. */
    synchronized void end(PublisherException reason) {
        end = end == null ? reason : end;
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed for us nevertheless.
        }
        notifyAll();
    }

    /** Ends the publisher, and reports it. */
    private synchronized void fail(PublisherException reason) {
        if (end == null) {
            queue.events.add(new PublisherEvent.Failed(reason.code(), reason.getMessage()));
            end(reason);
        }
    }

    /** Reports the end of a connection; ends the publisher if another one is no use. */
    private synchronized void report(PublisherException lost) {
        phase = Phase.CLOSED;
        if (end == null) {
            loss = lost;
            queue.events.add(new PublisherEvent.Disconnected(lost.code(), lost.retry, lost.getMessage()));
        }
        if (lost.retry.equals("no")) {
            fail(lost);
        }
    }

    /** Calls the listener with the events so far, and then continues those who wait for that. */
    private void deliver() {
        if (queue.events.isEmpty()) {
            return;
        }
        for (PublisherEvent event = queue.events.peek(); event != null; event = queue.events.peek()) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                reader.getUncaughtExceptionHandler().uncaughtException(reader, e);
            }
            queue.events.remove();
        }
        synchronized (this) {
            notifyAll();
        }
    }

    /** The listener of a publisher that was given none: logs the first failure of a row. */
    private void log(PublisherEvent event) {
        if (event instanceof PublisherEvent.Connected) {
            hasLogged = false;
        } else if (event instanceof PublisherEvent.Disconnected lost && !hasLogged) {
            hasLogged = true;
            String further = lost.retry().equals("no") ? "no further attempt" : "tried again";
            String sentence = "no session with " + options.address() + ": " + lost.message() + " (" + further + ")";
            System.getLogger("io.github.reloadrouter").log(System.Logger.Level.WARNING, sentence);
        }
    }

    // The thread that connects and reads.

    private void run() {
        long longest = options.longestPause.toNanos();
        long pause = options.firstPause.toNanos();
        while (end == null) {
            PublisherException lost = visit();
            pause = wasOpen() ? options.firstPause.toNanos() : pause;
            pause = lost.retry.equals("later") ? longest : Math.min(pause, longest);
            report(lost);
            deliver();
            try {
                sleep(() -> false, Duration.ofNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1)));
            } catch (InterruptedException e) {
                // Only the end of the publisher ends its threads.
            }
            pause *= 2;
        }
        deliver();
    }

    /** Tries the router's addresses until one of them has a session; returns why that has ended. */
    private PublisherException visit() {
        PublisherException last = null;
        try {
            for (InetAddress address : InetAddress.getAllByName(options.host)) {
                last = connect(address);
                if (wasOpen() || last.retry.equals("no")) {
                    break;
                }
            }
        } catch (UnknownHostException e) {
            last = lost("unknown host: " + options.host, e);
        }
        return last;
    }

    private boolean wasOpen() { return phase == Phase.OPEN || phase == Phase.DRAINING; }

    /** Connects, and reads until the connection ends; returns why. */
    private PublisherException connect(InetAddress address) {
        try (Socket raw = new Socket()) {
            synchronized (this) {
                check();
                socket = raw;
                phase = Phase.OPENING;
            }
            int timeout = (int) Math.min(Integer.MAX_VALUE, options.attemptTimeout.toMillis());
            raw.setTcpNoDelay(true);
            raw.setSoTimeout(timeout);
            raw.connect(new InetSocketAddress(address, options.port), timeout);
            Socket secured = context == null ? raw : Tls.connect(context, raw, options.host, options.port);
            secured.setSoTimeout(TICK);
            synchronized (this) {
                out = secured.getOutputStream();
                control.reset();
                send(queue.hello());
            }
            var in = new DataInputStream(new BufferedInputStream(new Input(secured.getInputStream())));
            while (true) {
                receive(Frame.read(in));
                deliver();
            }
        } catch (PublisherException e) {
            return e;
        } catch (EOFException e) {
            return lost("the router has closed the connection", e);
        } catch (IllegalArgumentException e) {
            return lost("the peer is probably no router: " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) { // Of the network, of TLS, or of what the peer sends.
            return lost(e.getMessage(), e);
        }
    }

    private static PublisherException lost(String why, Exception cause) {
        return new PublisherException(null, "reconnect", String.valueOf(why), cause);
    }

    /** What comes over a connection. Who reads it sends a PING when it is due, and leaves a silent router. */
    private final class Input extends FilterInputStream {
        private final long openedAt = System.nanoTime();

        Input(InputStream in) { super(in); }

        @Override
        public int read(byte[] to, int start, int most) throws IOException {
            boolean isOpening = phase == Phase.OPENING;
            Duration limit = isOpening ? options.attemptTimeout : options.lostAfter;
            long heardAt = isOpening ? openedAt : System.nanoTime(); // WELCOME is waited for whatever else comes.
            long pingedAt = heardAt;
            while (true) {
                long now = System.nanoTime();
                if (now - heardAt >= limit.toNanos()) {
                    throw new IOException("the router was silent for " + limit);
                }
                if (phase == Phase.OPEN && now - pingedAt >= options.pingAfter.toNanos()) {
                    send(Frame.of(Frame.PING, 0));
                    pingedAt = now;
                }
                try {
                    return super.read(to, start, most);
                } catch (SocketTimeoutException e) {
                    sync(); // The writer may be busy with a router that takes nothing.
                }
            }
        }
    }

    private synchronized void receive(Frame frame) throws IOException {
        switch (frame.type()) {
            case Frame.PING -> send(Frame.of(Frame.PONG, frame.seq()));
            case Frame.PONG -> { }
            case Frame.WELCOME -> {
                if (phase != Phase.OPENING) {
                    throw new IOException("a second WELCOME came");
                }
                queue.welcomed(frame.object());
                phase = Phase.OPEN;
            }
            case Frame.ACK, Frame.REJECT -> queue.answered(frame);
            case Frame.OUTCOME -> queue.events.add(new PublisherEvent.Outcome(frame.seq(), frame.object()));
            case Frame.GOAWAY -> phase = phase == Phase.OPEN ? Phase.DRAINING : phase;
            case Frame.ERROR -> {
                String retry = Json.text(frame.object(), "retry");
                String code = Json.text(frame.object(), "code");
                boolean isKnown = retry.equals("later") || retry.equals("reconnect");
                String message = code + ": " + Json.text(frame.object(), "message");
                throw new PublisherException(code, isKnown ? retry : "no", message, null);
            }
            default -> {
                if (frame.type() < Frame.FIRST_IGNORED) {
                    throw new IOException("frames of type " + frame.type() + " are not for a publisher");
                }
            }
        }
        notifyAll(); // There may be capacity, and the window may be open.
    }

    private synchronized void send(Frame frame) throws IOException {
        if (control.size() > MOST_CONTROL_BYTES) {
            throw new IOException("PINGs come faster than their PONGs can be sent");
        }
        control.writeBytes(frame.bytes());
        notifyAll();
    }

    // The thread that writes.

    /** Sends what is due, which is on the disk before, until the publisher is over. */
    private void write() {
        var batch = new ByteArrayOutputStream(BATCH_BYTES);
        while (end == null) {
            OutputStream to = take(batch);
            sync();
            try {
                if (batch.size() > 0) {
                    batch.writeTo(to);
                    to.flush();
                }
            } catch (IOException | RuntimeException e) {
                // The reader sees the end of the connection, and before it an ERROR that says why.
                synchronized (this) {
                    out = out == to ? null : out;
                }
            }
            batch.reset();
        }
    }

    /** Waits until something is to be sent, or to be on the disk; returns where the batch is to be written. */
    private synchronized OutputStream take(ByteArrayOutputStream batch) {
        try {
            sleep(() -> isDue(batch), FOREVER);
        } catch (InterruptedException e) {
            // Only the end of the publisher ends its threads.
        }
        return out;
    }

    /** Fills a batch with what is to be sent; false if there is nothing to do. */
    private boolean isDue(ByteArrayOutputStream batch) {
        if (out != null) {
            batch.writeBytes(control.toByteArray());
            control.reset();
            if (phase == Phase.OPEN) {
                queue.take(batch, BATCH_BYTES);
            }
        }
        return batch.size() > 0 || queue.outbox.isDirty;
    }

    /** Has what was accepted before on the disk; called without the lock. */
    private void sync() {
        try {
            queue.outbox.sync();
        } catch (IOException e) {
            fail(new PublisherException("outbox", "the outbox: " + e.getMessage(), e));
        }
    }
}

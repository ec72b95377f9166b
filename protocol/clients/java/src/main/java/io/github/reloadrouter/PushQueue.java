package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;

/**
 * The pushes that the router has not answered, as whole frames. It is not safe for several threads;
 * its owner has a lock.
 *
 * <pre>
 *   settled │ sent, unanswered │ not sent │
 *         first              unsent     next
 * </pre>
 *
 * <p>Numbers are consecutive. A rejected push keeps its position until all before it are settled.
 */
final class PushQueue {
    /** Of the push with a number: its frame; null if it is rejected. */
    private byte[][] frames = new byte[1 << 10][];
    private long first = 1;
    private long unsent = 1;
    private long next = 1;
    private int waiting;
    private int inFlight;
    private long byteCount;

    /** The number that the next push gets. */
    long next() {
        return next;
    }

    /** All pushes up to this number are settled. */
    long settled() {
        return first - 1;
    }

    /** The number of the first push that was not passed to the connection. */
    long unsent() {
        return unsent;
    }

    /** Pushes that wait for an answer; rejected ones do not. */
    int waiting() {
        return waiting;
    }

    long byteCount() {
        return byteCount;
    }

    /** Adds the frame of the push {@code next}. */
    void append(byte[] frame) {
        if (next - first == frames.length) {
            grow();
        }
        frames[slot(next)] = frame;
        next++;
        waiting++;
        byteCount += frame.length;
    }

    /**
     * Writes the next unsent frames to a buffer, up to a window of unanswered ones and about {@code
     * most} bytes.
     *
     * @return how many they are
     */
    int take(ByteArrayOutputStream to, long window, int most) {
        int count = 0;
        while (unsent < next && inFlight < window && to.size() < most) {
            byte[] frame = frames[slot(unsent)];
            if (frame != null) {
                to.writeBytes(frame);
                inFlight++;
                count++;
            }
            unsent++;
        }
        return count;
    }

    /** Marks all pushes as unsent: the next connection sends them again. */
    void rewind() {
        unsent = first;
        inFlight = 0;
    }

    /**
     * Settles all pushes up to a number. If that is beyond them, the next push gets the number
     * after it.
     *
     * @return how many of them had not been rejected
     */
    int settle(long seq) {
        int accepted = 0;
        while (first < next && (first <= seq || isRejected(first))) {
            accepted += isRejected(first) ? 0 : 1;
            forget(first);
            first++;
        }
        if (first <= seq) {
            first = seq + 1;
            next = first;
        }
        unsent = Math.max(unsent, first);
        return accepted;
    }

    /** Marks a push as rejected; false if it is settled, rejected already, or was never pushed. */
    boolean reject(long seq) {
        if (seq < first || seq >= next || isRejected(seq)) {
            return false;
        }
        forget(seq);
        settle(0);
        return true;
    }

    /** Returns the length of a push's body; -1 if it was rejected. */
    int bodyBytes(long seq) {
        return isRejected(seq) ? -1 : frames[slot(seq)].length - Frames.HEADER_BYTES;
    }

    private void forget(long seq) {
        if (!isRejected(seq)) {
            waiting--;
            byteCount -= frames[slot(seq)].length;
            inFlight -= seq < unsent ? 1 : 0;
            frames[slot(seq)] = null;
        }
    }

    private boolean isRejected(long seq) {
        return frames[slot(seq)] == null;
    }

    private int slot(long seq) {
        return (int) seq & frames.length - 1;
    }

    private void grow() {
        byte[][] old = frames;
        frames = new byte[2 * old.length][];
        for (long seq = first; seq < next; seq++) {
            frames[slot(seq)] = old[(int) seq & old.length - 1];
        }
    }
}

package io.github.reloadrouter;

/**
 * The pushes that the router has not answered, as whole frames in one ring of bytes, so that a push
 * needs no memory of its own. It is not safe for several threads; its owner has a lock.
 *
 * <pre>
 *   settled │ sent, unanswered │ not sent │
 *         first              unsent     next
 * </pre>
 *
 * <p>Numbers are consecutive. A rejected push keeps its position until all before it are settled. A
 * frame never wraps around the end of the ring, so a run of frames is sent in one write.
 */
final class PushQueue {
    private byte[] bytes = new byte[1 << 16];
    /** Of the push with a number: the offset of its frame, and its length; -1 if it is rejected. */
    private int[] offsets = new int[1 << 10];
    private int[] lengths = new int[1 << 10];
    private long first = 1;
    private long unsent = 1;
    private long next = 1;
    private int tail;
    private int waiting;
    private int inFlight;
    private long byteCount;
    private int runOffset;
    private int runLength;

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

    byte[] bytes() {
        return bytes;
    }

    /** Adds a frame of a length as the push {@code next}; returns the offset to write it to. */
    int append(int length) {
        if (next - first == offsets.length) {
            growSlots();
        }
        int offset = reserve(length);
        int slot = slot(next);
        offsets[slot] = offset;
        lengths[slot] = length;
        tail = offset + length;
        next++;
        waiting++;
        byteCount += length;
        return offset;
    }

    /** Takes back the newest push, which was not sent. */
    void removeLast() {
        next--;
        tail = offsets[slot(next)];
        waiting--;
        byteCount -= lengths[slot(next)];
    }

    /**
     * Takes the next unsent pushes that lie side by side, up to a window of unanswered ones and
     * about {@code most} bytes.
     *
     * @return how many they are; their bytes are at {@code runOffset}
     */
    int takeRun(long window, int most) {
        while (unsent < next && isRejected(unsent)) {
            unsent++;
        }
        runOffset = unsent < next ? offsets[slot(unsent)] : 0;
        runLength = 0;
        int count = 0;
        while (unsent < next && inFlight < window && runLength < most) {
            int slot = slot(unsent);
            if (lengths[slot] < 0 || offsets[slot] != runOffset + runLength) {
                break;
            }
            runLength += lengths[slot];
            inFlight++;
            unsent++;
            count++;
        }
        return count;
    }

    int runOffset() {
        return runOffset;
    }

    int runLength() {
        return runLength;
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
        while (first <= seq && first < next) {
            accepted += dropFirst() ? 1 : 0;
        }
        if (first <= seq) {
            first = seq + 1;
            next = first;
        }
        dropRejected();
        return accepted;
    }

    /** Marks a push as rejected; false if it is settled, rejected already, or was never pushed. */
    boolean reject(long seq) {
        if (seq < first || seq >= next || isRejected(seq)) {
            return false;
        }
        forget(seq);
        lengths[slot(seq)] = -1;
        dropRejected();
        return true;
    }

    /** Returns the length of a push's body; -1 if it was rejected. */
    int bodyBytes(long seq) {
        int length = lengths[slot(seq)];
        return length < 0 ? -1 : length - Frames.HEADER_BYTES;
    }

    private void dropRejected() {
        while (first < next && isRejected(first)) {
            dropFirst();
        }
        unsent = Math.max(unsent, first);
        if (first == next) {
            tail = 0;
        }
    }

    private boolean dropFirst() {
        boolean accepted = !isRejected(first);
        if (accepted) {
            forget(first);
        }
        first++;
        return accepted;
    }

    private void forget(long seq) {
        waiting--;
        byteCount -= lengths[slot(seq)];
        if (seq < unsent) {
            inFlight--;
        }
    }

    private boolean isRejected(long seq) {
        return lengths[slot(seq)] < 0;
    }

    private int slot(long seq) {
        return (int) seq & offsets.length - 1;
    }

    /** Returns the offset of a free stretch of bytes; makes another ring if there is none. */
    private int reserve(int length) {
        int head = first == next ? 0 : offsets[slot(first)];
        if (first == next || tail > head) {
            if (bytes.length - tail >= length) {
                return tail;
            }
            if (head > length) {
                return 0;
            }
        } else if (head - tail > length) {
            return tail;
        }
        growBytes(length);
        return tail;
    }

    /** Moves all frames to a ring of which they fill at most half. The old ring stays as it is. */
    private void growBytes(int length) {
        long size = bytes.length;
        while (size < 2 * (byteCount + length)) {
            size *= 2;
        }
        byte[] larger = new byte[Math.toIntExact(size)];
        int offset = 0;
        for (long seq = first; seq < next; seq++) {
            int slot = slot(seq);
            int count = Math.max(0, lengths[slot]);
            System.arraycopy(bytes, offsets[slot], larger, offset, count);
            offsets[slot] = offset;
            offset += count;
        }
        bytes = larger;
        tail = offset;
    }

    private void growSlots() {
        int[] oldOffsets = offsets;
        int[] oldLengths = lengths;
        offsets = new int[2 * oldOffsets.length];
        lengths = new int[2 * oldLengths.length];
        for (long seq = first; seq < next; seq++) {
            int old = (int) seq & oldOffsets.length - 1;
            offsets[slot(seq)] = oldOffsets[old];
            lengths[slot(seq)] = oldLengths[old];
        }
    }
}

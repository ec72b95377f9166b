using System;

namespace ReloadRouter.Client
{
    /// <summary>
    /// The pushes that the router has not answered, as whole frames in one ring of bytes, so that a
    /// push needs no memory of its own. It is not safe for several threads; its owner has a lock.
    /// <code>
    ///   settled | sent, unanswered | not sent |
    ///         First              Unsent     Next
    /// </code>
    /// Numbers are consecutive. A rejected push keeps its position until all before it are settled. A
    /// frame never wraps around the end of the ring, so a run of frames is sent in one write.
    /// </summary>
    internal sealed class PushQueue
    {
        /// <summary>Of the push with a number: the offset of its frame.</summary>
        private int[] offsets = new int[1 << 10];

        /// <summary>Of the push with a number: the length of its frame; -1 if it is rejected.</summary>
        private int[] lengths = new int[1 << 10];

        private long first = 1;
        private int tail;
        private int inFlight;

        /// <summary>The ring. It is another one after <c>Append</c> has needed more.</summary>
        public byte[] Bytes { get; private set; } = new byte[1 << 16];

        /// <summary>The number that the next push gets.</summary>
        public long Next { get; private set; } = 1;

        /// <summary>The number of the first push that was not passed to the connection.</summary>
        public long Unsent { get; private set; } = 1;

        /// <summary>Pushes that wait for an answer; rejected ones do not.</summary>
        public int Waiting { get; private set; }

        /// <summary>The bytes of the pushes that wait for an answer.</summary>
        public long ByteCount { get; private set; }

        /// <summary>Where the run is that <c>TakeRun</c> has taken.</summary>
        public int RunOffset { get; private set; }

        /// <summary>How long the run is that <c>TakeRun</c> has taken.</summary>
        public int RunLength { get; private set; }

        /// <summary>All pushes up to this number are settled.</summary>
        public long Settled => first - 1;

        /// <summary>
        /// Adds a frame of a length as the push <c>Next</c>; returns the offset to write it to.
        /// </summary>
        public int Append(int length)
        {
            if (Next - first == offsets.Length)
            {
                GrowSlots();
            }
            int offset = Reserve(length);
            int slot = Slot(Next);
            offsets[slot] = offset;
            lengths[slot] = length;
            tail = offset + length;
            Next++;
            Waiting++;
            ByteCount += length;
            return offset;
        }

        /// <summary>Takes back the newest push, which was not sent.</summary>
        public void RemoveLast()
        {
            Next--;
            tail = offsets[Slot(Next)];
            Waiting--;
            ByteCount -= lengths[Slot(Next)];
        }

        /// <summary>
        /// Takes the next unsent pushes that lie side by side, up to a window of unanswered ones and
        /// about <c>most</c> bytes; returns how many they are.
        /// </summary>
        public int TakeRun(long window, int most)
        {
            while (Unsent < Next && IsRejected(Unsent))
            {
                Unsent++;
            }
            RunOffset = Unsent < Next ? offsets[Slot(Unsent)] : 0;
            RunLength = 0;
            int count = 0;
            while (Unsent < Next && inFlight < window && RunLength < most)
            {
                int slot = Slot(Unsent);
                if (lengths[slot] < 0 || offsets[slot] != RunOffset + RunLength)
                {
                    break;
                }
                RunLength += lengths[slot];
                inFlight++;
                Unsent++;
                count++;
            }
            return count;
        }

        /// <summary>Marks all pushes as unsent: the next connection sends them again.</summary>
        public void Rewind()
        {
            Unsent = first;
            inFlight = 0;
        }

        /// <summary>
        /// Settles all pushes up to a number; returns how many of them had not been rejected. If the
        /// number is beyond them, the next push gets the number after it.
        /// </summary>
        public int Settle(long seq)
        {
            int accepted = 0;
            while (first < Next && (first <= seq || IsRejected(first)))
            {
                accepted += Forget(first) ? 1 : 0;
                first++;
            }
            if (first <= seq)
            {
                first = seq + 1;
                Next = first;
            }
            Unsent = Math.Max(Unsent, first);
            tail = first == Next ? 0 : tail;
            return accepted;
        }

        /// <summary>Marks a push as rejected; false if it is settled, rejected already, or was never pushed.</summary>
        public bool Reject(long seq)
        {
            bool isWaiting = seq >= first && seq < Next && Forget(seq);
            Settle(0);
            return isWaiting;
        }

        /// <summary>The length of a push's body; negative if it was rejected.</summary>
        public int BodyBytes(long seq) => lengths[Slot(seq)] - Frames.HeaderBytes;

        /// <summary>Drops the bytes of a push; false if it was rejected.</summary>
        private bool Forget(long seq)
        {
            if (IsRejected(seq))
            {
                return false;
            }
            Waiting--;
            ByteCount -= lengths[Slot(seq)];
            inFlight -= seq < Unsent ? 1 : 0;
            lengths[Slot(seq)] = -1;
            return true;
        }

        private bool IsRejected(long seq) => lengths[Slot(seq)] < 0;

        private int Slot(long seq) => (int)(seq & (offsets.Length - 1));

        /// <summary>The offset of a free stretch of bytes; makes another ring if there is none.</summary>
        private int Reserve(int length)
        {
            int head = first == Next ? 0 : offsets[Slot(first)];
            if (first == Next || tail > head)
            {
                if (Bytes.Length - tail >= length)
                {
                    return tail;
                }
                if (head > length)
                {
                    return 0;
                }
            }
            else if (head - tail > length)
            {
                return tail;
            }
            GrowBytes(length);
            return tail;
        }

        /// <summary>Moves all frames to a ring of which they fill at most half. The old one stays as it is.</summary>
        private void GrowBytes(int length)
        {
            long size = Bytes.Length;
            while (size < 2 * (ByteCount + length))
            {
                size *= 2;
            }
            var larger = new byte[size];
            int offset = 0;
            for (long seq = first; seq < Next; seq++)
            {
                int slot = Slot(seq);
                int count = Math.Max(0, lengths[slot]);
                Buffer.BlockCopy(Bytes, offsets[slot], larger, offset, count);
                offsets[slot] = offset;
                offset += count;
            }
            Bytes = larger;
            tail = offset;
        }

        private void GrowSlots()
        {
            int[] oldOffsets = offsets;
            int[] oldLengths = lengths;
            offsets = new int[2 * oldOffsets.Length];
            lengths = new int[2 * oldLengths.Length];
            for (long seq = first; seq < Next; seq++)
            {
                int old = (int)(seq & (oldOffsets.Length - 1));
                offsets[Slot(seq)] = oldOffsets[old];
                lengths[Slot(seq)] = oldLengths[old];
            }
        }
    }
}

using System;
using System.IO;

namespace ReloadRouter.Client
{
    /// <summary>
    /// A file with the pushes that are not settled, for a process that ends before they are. It
    /// consists of the protocol's frames: a HELLO that names the producer, PUSHes, REJECTs of some of
    /// them, and ACKs that say up to which push all are settled. It is emptied when all pushes are
    /// settled. A frame that was not written to its end when the process or the machine stopped is
    /// cut off.
    /// </summary>
    internal sealed class Outbox : IDisposable
    {
        private readonly FileStream file;

        /// <summary>The same file for <c>Sync</c>, which another thread calls.</summary>
        private readonly FileStream syncing;

        private readonly object syncGate = new object();
        private readonly byte[] hello;
        private long settled;
        private volatile bool isDirty;

        /// <summary>Opens a file, and adds the pushes in it that are not settled to a queue.</summary>
        public Outbox(string path, string app, string producer, PushQueue queue)
        {
            hello = Frames.Encode(
                Frames.Hello, 0, "{\"v\":1,\"role\":\"publisher\",\"app\":" + Json.Quote(app)
                + ",\"producer\":" + Json.Quote(producer) + "}");
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1);
            try
            {
                syncing = new FileStream(file.SafeFileHandle, FileAccess.Write, 1);
                Load(path, queue);
            }
            catch
            {
                file.Dispose();
                throw;
            }
        }

        /// <summary>Whether the file does not say yet which number the next push gets.</summary>
        public bool IsNew { get; private set; } = true;

        /// <summary>The length of the file in bytes.</summary>
        public long Size { get; private set; }

        /// <summary>Appends a PUSH. When it returns, the end of this process does not lose the push.</summary>
        public void Append(byte[] bytes, int offset, int length) => Write(bytes, offset, length);

        /// <summary>Records that a push is rejected, before the others up to it are settled.</summary>
        public void Reject(long seq) => Write(Frames.Encode(Frames.Reject, seq, ""), 0, Frames.HeaderBytes);

        /// <summary>
        /// Records that all pushes up to a number are settled; empties the file if no others are in it.
        /// </summary>
        public void Settle(long seq, bool areAll)
        {
            if (areAll && (IsNew || seq != settled || Size > hello.Length + Frames.HeaderBytes))
            {
                Truncate(0);
                Write(hello, 0, hello.Length);
            }
            else if (seq == settled)
            {
                return;
            }
            Write(Frames.Encode(Frames.Ack, seq, ""), 0, Frames.HeaderBytes);
            settled = seq;
            IsNew = false;
        }

        /// <summary>Returns when what was appended before is on the disk.</summary>
        public void Sync()
        {
            lock (syncGate)
            {
                if (!isDirty)
                {
                    return;
                }
                isDirty = false;
                try
                {
                    syncing.Flush(true);
                }
                catch
                {
                    isDirty = true;
                    throw;
                }
            }
        }

        public void Dispose() => file.Dispose();

        private void Write(byte[] bytes, int offset, int length)
        {
            try
            {
                file.Write(bytes, offset, length);
                file.Flush();
            }
            catch (IOException)
            {
                Truncate(Size); // A part may have been written.
                throw;
            }
            Size += length;
            isDirty = true;
        }

        private void Truncate(long length)
        {
            file.SetLength(length);
            file.Position = length;
            Size = length;
        }

        private void Load(string path, PushQueue queue)
        {
            var bytes = new byte[file.Length];
            int end = 0;
            for (int count = 1; count > 0; end += count)
            {
                count = file.Read(bytes, end, bytes.Length - end);
            }
            int offset = 0;
            int length = Frames.Length(bytes, offset, end);
            while (length > 0 && length <= end - offset)
            {
                Load(path, queue, bytes, offset, length);
                offset += length;
                length = Frames.Length(bytes, offset, end);
            }
            if (offset == 0 && !IsHello(bytes, end))
            {
                throw new IOException(path + " is not an outbox");
            }
            if (settled < queue.Next)
            {
                queue.Settle(settled);
            }
            Truncate(offset);
            if (offset == 0)
            {
                Write(hello, 0, hello.Length);
            }
        }

        private void Load(string path, PushQueue queue, byte[] bytes, int offset, int length)
        {
            long seq = Frames.GetInt64(bytes, offset + 8);
            byte type = bytes[offset + 4];
            if (offset == 0)
            {
                if (length != hello.Length || !IsHello(bytes, length))
                {
                    throw new IOException(path + " is not the outbox of this app and producer");
                }
            }
            else if (type == Frames.Ack)
            {
                IsNew = false;
                settled = seq;
                if (seq >= queue.Next)
                {
                    queue.Settle(seq);
                }
            }
            else if (type == Frames.Reject)
            {
                queue.Reject(seq);
            }
            else if (type == Frames.Push && seq == queue.Next)
            {
                IsNew = false;
                int target = queue.Append(length);
                Buffer.BlockCopy(bytes, offset, queue.Bytes, target, length);
            }
            else
            {
                throw new IOException(path + " is damaged at byte " + offset);
            }
        }

        /// <summary>Whether some bytes are the beginning of the file's HELLO.</summary>
        private bool IsHello(byte[] bytes, int length)
        {
            for (int index = 0; index < length; index++)
            {
                if (index == hello.Length || bytes[index] != hello[index])
                {
                    return false;
                }
            }
            return true;
        }
    }
}

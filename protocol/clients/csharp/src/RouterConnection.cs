using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;

namespace ReloadRouter.Client
{
    /// <summary>
    /// The connection of a publisher to its router: makes it again when it is lost, and passes frames.
    /// Three threads serve it: one connects and reads, one writes while a socket is open, and one
    /// watches for silence. None holds the publisher's gate while it waits for the network or fsync.
    /// </summary>
    internal sealed class RouterConnection
    {
        private const int BatchBytes = 256 << 10;
        private const int ReadBytes = 64 << 10;

        /// <summary>The most bytes of PONGs that wait to be sent.</summary>
        private const int MostControlBytes = 64 << 10;

        private readonly PublisherOptions options;
        private readonly Publisher publisher;
        private readonly object gate;
        private readonly Thread thread;
        private readonly Thread watch;
        private readonly Random random = new Random(Guid.NewGuid().GetHashCode());

        // What follows is guarded by the gate.
        private Phase phase = Phase.Over;
        private Socket socket;
        private byte[] control = new byte[0];
        private long window;
        private bool isWriterIdle;
        private long heardAt;
        private long pingAt;
        private double pause;

        public RouterConnection(PublisherOptions options, Publisher publisher, object gate)
        {
            this.options = options;
            this.publisher = publisher;
            this.gate = gate;
            pause = options.FirstPause.TotalMilliseconds;
            thread = new Thread(Run) { IsBackground = true, Name = "reload-router-publisher" };
            watch = new Thread(Watch) { IsBackground = true, Name = "reload-router-watch" };
        }

        private enum Phase
        {
            AwaitingWelcome,
            Established,
            Draining,
            Over,
        }

        /// <summary>Milliseconds of a clock that never goes back.</summary>
        public static long Now => (long)(Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency);

        private bool HasSession => phase == Phase.Established || phase == Phase.Draining;

        public bool IsCurrentThread => Thread.CurrentThread == thread;

        /// <summary>The frame that opens a session.</summary>
        public static byte[] Hello(PublisherOptions options, long acked)
        {
            string token = options.Token == null ? "" : ",\"token\":" + Json.Quote(options.Token);
            return Frames.Encode(
                Frames.Hello, 0, "{\"v\":1,\"role\":\"publisher\",\"app\":" + Json.Quote(options.App) + token
                + ",\"producer\":" + Json.Quote(options.Producer) 
                + (options.Outcomes ? ",\"outcomes\":true" : "") + ",\"acked\":" + acked + "}");
        }

        public void Start()
        {
            thread.Start();
            watch.Start();
        }

        /// <summary>Waits until all threads have ended, which the end of the publisher makes them do.</summary>
        public void Stop()
        {
            if (!IsCurrentThread)
            {
                thread.Join();
            }
            watch.Join();
        }

        /// <summary>Has queued pushes sent; called with the gate.</summary>
        public void Wake()
        {
            if (isWriterIdle)
            {
                isWriterIdle = false;
                Monitor.PulseAll(gate);
            }
        }

        /// <summary>Closes the connection if there is one, and ends all waiting; called with the gate.</summary>
        public void Disconnect()
        {
            Close(socket);
            Monitor.PulseAll(gate);
        }

        // The thread that connects and reads.

        private void Run()
        {
            Loss loss;
            do
            {
                loss = Visit();
                lock (gate)
                {
                    phase = Phase.Over;
                    publisher.Queue.Rewind();
                    publisher.Lost(loss.Code, loss.Retry, loss.Message);
                }
                publisher.Deliver();
            }
            while (Pause(loss));
            publisher.Deliver();
        }

        /// <summary>Tries the router's addresses until one of them has a session, which then has ended.</summary>
        private Loss Visit()
        {
            var loss = new Loss(null, "reconnect", "unknown host: " + options.Host);
            try
            {
                foreach (IPAddress address in Dns.GetHostAddresses(options.Host))
                {
                    try
                    {
                        Connect(address);
                    }
                    catch (Loss e)
                    {
                        loss = e;
                    }
                    catch (Exception e)
                    {
                        // Of the network, of TLS, or of what the peer sends: another attempt may succeed.
                        loss = new Loss(null, "reconnect", e.GetBaseException().Message);
                    }
                    if (HasSession || loss.Retry == "no")
                    {
                        return loss;
                    }
                }
            }
            catch (SocketException e)
            {
                loss = new Loss(null, "reconnect", options.Host + ": " + e.Message);
            }
            return loss;
        }

        private void Connect(IPAddress address)
        {
            var raw = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            Thread writer = null;
            try
            {
                lock (gate)
                {
                    if (publisher.IsOver)
                    {
                        throw new Loss(null, "reconnect", "the publisher is closed");
                    }
                    socket = raw;
                    control = Hello(options, publisher.TakeAcked());
                    phase = Phase.AwaitingWelcome;
                    heardAt = Now + (long)options.AttemptTimeout.TotalMilliseconds;
                }
                IAsyncResult opening = raw.BeginConnect(address, options.Port, null, null);
                if (!opening.AsyncWaitHandle.WaitOne(options.AttemptTimeout))
                {
                    throw new Loss(null, "reconnect", "no connection to " + address + " in time");
                }
                raw.EndConnect(opening);
                lock (gate)
                {
                    heardAt = Now;
                }
                Stream stream = new NetworkStream(raw, false);
                stream = options.Plain ? stream : Tls.Connect(options, stream);
                writer = new Thread(() => Write(stream)) { IsBackground = true, Name = "reload-router-writer" };
                writer.Start();
                Read(stream);
            }
            finally
            {
                lock (gate)
                {
                    socket = null;
                    isWriterIdle = false;
                    Monitor.PulseAll(gate);
                }
                Close(raw);
                writer?.Join();
            }
        }

        private void Read(Stream stream)
        {
            var bytes = new byte[ReadBytes];
            int end = 0;
            while (true)
            {
                int count = stream.Read(bytes, end, bytes.Length - end);
                if (count <= 0)
                {
                    throw new IOException("the router has closed the connection");
                }
                end += count;
                int used;
                try
                {
                    lock (gate)
                    {
                        heardAt = Now;
                        pingAt = heardAt + (long)options.PingAfter.TotalMilliseconds;
                        used = Receive(bytes, end);
                    }
                }
                finally
                {
                    publisher.Deliver();
                }
                int needed = Math.Max(Frames.Length(bytes, used, end), ReadBytes);
                byte[] target = needed > bytes.Length ? new byte[needed] : bytes;
                Buffer.BlockCopy(bytes, used, target, 0, end - used);
                bytes = target;
                end -= used;
            }
        }

        /// <summary>Processes the whole frames at the front of some bytes; returns their length.</summary>
        private int Receive(byte[] bytes, int end)
        {
            int offset = 0;
            while (true)
            {
                int length = Frames.Length(bytes, offset, end);
                if (length < 0)
                {
                    throw new IOException("the peer sends no frames; it is probably not a router");
                }
                if (length == 0 || length > end - offset)
                {
                    return offset;
                }
                Receive(bytes, offset, length);
                offset += length;
            }
        }

        private void Receive(byte[] bytes, int offset, int length)
        {
            byte type = bytes[offset + 4];
            long seq = Frames.GetInt64(bytes, offset + 8);
            switch (type)
            {
                case Frames.Ping:
                    if (control.Length > MostControlBytes)
                    {
                        throw new IOException("PINGs come faster than their PONGs can be sent");
                    }
                    AddControl(Frames.Pong, seq);
                    break;
                case Frames.Pong:
                    break;
                case Frames.Outcome:
                    publisher.ReportOutcome(seq, Body(bytes, offset, length));
                    break;
                case Frames.Welcome:
                    Welcomed(Body(bytes, offset, length));
                    break;
                case Frames.Ack:
                case Frames.Reject:
                    Answered(type, seq, bytes, offset, length);
                    break;
                case Frames.GoAway:
                    phase = phase == Phase.Established ? Phase.Draining : phase;
                    break;
                case Frames.Error:
                    Dictionary<string, object> body = Body(bytes, offset, length);
                    string retry = Json.Text(body, "retry", "no");
                    string code = Json.Text(body, "code", "");
                    retry = retry == "later" || retry == "reconnect" ? retry : "no";
                    throw new Loss(code, retry, code + ": " + Json.Text(body, "message", ""));
                default:
                    if (type < Frames.FirstIgnored)
                    {
                        throw new IOException("frames of type " + type + " are not for a publisher");
                    }
                    break;
            }
        }

        private void Answered(byte type, long seq, byte[] bytes, int offset, int length)
        {
            if (phase == Phase.AwaitingWelcome || seq >= publisher.Queue.Unsent)
            {
                throw new IOException("the router answers push " + seq + ", which was not sent");
            }
            if (type == Frames.Ack)
            {
                bool hasCount = length >= Frames.HeaderBytes + 4;
                publisher.Acknowledged(seq, hasCount ? Frames.GetUInt32(bytes, offset + Frames.HeaderBytes) : 0);
            }
            else
            {
                Dictionary<string, object> body = Body(bytes, offset, length);
                publisher.Refused(seq, Json.Text(body, "code", ""), Json.Text(body, "message", ""));
            }
            Wake();
        }

        private void Welcomed(Dictionary<string, object> body)
        {
            if (phase != Phase.AwaitingWelcome)
            {
                throw new IOException("a second WELCOME came");
            }
            window = Math.Max(1, Json.Number(body, "window", 1));
            publisher.Welcomed(body);
            phase = Phase.Established;
            pause = options.FirstPause.TotalMilliseconds;
            Wake();
        }

        internal static Dictionary<string, object> Body(byte[] bytes, int offset, int length)
        {
            string text = Encoding.UTF8.GetString(
                bytes, offset + Frames.HeaderBytes, length - Frames.HeaderBytes);
            try
            {
                if (Json.Parse(text) is Dictionary<string, object> body)
                {
                    return body;
                }
            }
            catch (FormatException e)
            {
                throw new IOException("the router sends what is not JSON", e);
            }
            throw new IOException("the router sends JSON that is not an object");
        }

        private void AddControl(byte type, long seq)
        {
            int length = control.Length;
            Array.Resize(ref control, length + Frames.HeaderBytes);
            Frames.PutHeader(control, length, type, 0, seq, 0);
            Wake();
        }

        /// <summary>Waits before the next attempt; false if the publisher has ended.</summary>
        private bool Pause(Loss loss)
        {
            double longest = options.LongestPause.TotalMilliseconds;
            lock (gate)
            {
                pause = loss.Retry == "later" ? longest : pause;
                long until = Now + (long)(pause * (0.5 + random.NextDouble() / 2));
                pause = Math.Min(longest, 2 * pause);
                WaitUntil(until);
                return !publisher.IsOver;
            }
        }

        /// <summary>Waits until a time or the end of the publisher; called with the gate.</summary>
        private void WaitUntil(long time)
        {
            for (long left = time - Now; left > 0 && !publisher.IsOver; left = time - Now)
            {
                Monitor.Wait(gate, (int)left);
            }
        }

        // The thread that writes.

        private void Write(Stream stream)
        {
            try
            {
                while (WriteNext(stream))
                {
                }
            }
            catch (Exception)
            {
                // The reader sees the end of the connection, and before it an ERROR that says why.
            }
        }

        /// <summary>Writes what is due, or waits for it; false if the connection is over.</summary>
        private bool WriteNext(Stream stream)
        {
            byte[] bytes;
            int offset = 0;
            int length;
            lock (gate)
            {
                PushQueue queue = publisher.Queue;
                if (socket == null || publisher.IsOver)
                {
                    return false;
                }
                int count = 0;
                if (control.Length > 0)
                {
                    bytes = control;
                    length = control.Length;
                    control = new byte[0];
                }
                else if (phase == Phase.Established && (count = queue.TakeRun(window, BatchBytes)) > 0)
                {
                    bytes = queue.Bytes;
                    offset = queue.RunOffset;
                    length = queue.RunLength;
                    publisher.CountSent(count);
                }
                else
                {
                    isWriterIdle = true;
                    Monitor.Wait(gate);
                    return true;
                }
            }
            publisher.SyncOutbox();
            stream.Write(bytes, offset, length);
            stream.Flush();
            return true;
        }

        // The thread that watches.

        private void Watch()
        {
            double shortest = Math.Min(options.PingAfter.TotalMilliseconds, options.LostAfter.TotalMilliseconds);
            shortest = Math.Min(shortest, options.AttemptTimeout.TotalMilliseconds);
            long period = Math.Max(1, Math.Min(500, (long)shortest / 4));
            bool isOver = false;
            while (!isOver)
            {
                Socket silent;
                lock (gate)
                {
                    WaitUntil(Now + period);
                    publisher.Tick();
                    isOver = publisher.IsOver;
                    silent = isOver || IsSilent() ? socket : null;
                }
                Close(silent);
                publisher.SyncOutbox();
            }
        }

        /// <summary>Sends PING when it is due; returns whether the connection has been silent for too long.</summary>
        private bool IsSilent()
        {
            long now = Now;
            if (phase == Phase.Established && now >= pingAt)
            {
                pingAt = now + (long)options.PingAfter.TotalMilliseconds;
                AddControl(Frames.Ping, 0);
            }
            TimeSpan limit = HasSession ? options.LostAfter : options.AttemptTimeout;
            return now - heardAt >= limit.TotalMilliseconds;
        }

        private static void Close(Socket socket)
        {
            try
            {
                // Reads and writes that are waiting end by this; Close alone leaves some of them waiting.
                socket?.Shutdown(SocketShutdown.Both);
            }
            catch (Exception e) when (e is SocketException || e is ObjectDisposedException)
            {
                // It was not connected any more.
            }
            socket?.Close();
        }

        /// <summary>Why a connection, or an attempt to make one, has ended.</summary>
        private sealed class Loss : Exception
        {
            public Loss(string code, string retry, string message)
                : base(message)
            {
                Code = code;
                Retry = retry;
            }

            public string Code { get; }

            public string Retry { get; }
        }
    }
}

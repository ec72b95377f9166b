using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading.Tasks;

namespace ReloadRouter.Client.Tests {
    /// <summary>Tests of the parts of the client; the conformance tests of all clients test the whole.</summary>
    public static class UnitTests {
        private const string Potion = "{\"event\":\"healing-potion\",\"character\":\"elf-42\",\"amount\":25}";
        private static readonly ArraySegment<byte> NoBytes = default(ArraySegment<byte>);
        private static int ran;
        private static int failed;

        /// <summary>Runs all tests; the exit code is 1 if one fails.</summary>
        public static int Main() {
            Test("JSON is read as it is written", JsonIsReadAsWritten);
            Test("the queue agrees with a model", QueueAgreesWithModel);
            Test("an outbox cut off at any byte keeps the whole pushes", OutboxIsCutAnywhere);
            Test("an outbox has one user", OutboxHasOneUser);
            Test("names in certificates are compared as TLS asks for", NamesAreCompared);
            Test("options that make no sense are refused", OptionsAreChecked);
            Test("the limit of connecting may be longer than a timer's", ConnectLimitMayBeLong);
            Test("a listener may not wait, and may fail", ListenerMayNotWait);
            Test("tasks wait as calls do", TasksWait);
            Test("TryPush needs no memory", TryPushNeedsNoMemory);
            Console.WriteLine("Ran " + ran + " tests in C#: " + failed + " failed");
            return failed == 0 ? 0 : 1;
        }

        private static void Test(string name, Action body) {
            ran++;
            try {
                body();
            } catch (Exception e) {
                failed++;
                Console.WriteLine("FAILED: " + name + "\n" + e);
            }
        }

        // Frames and JSON.

        private static byte[] Frame(long seq, string payload, PushSettings settings = default(PushSettings)) {
            byte[] text = Encoding.UTF8.GetBytes(payload);
            int prefix = Frames.PrefixBytes(settings);
            var frame = new byte[Frames.HeaderBytes + prefix + text.Length];
            text.CopyTo(frame, Frames.PutPush(frame, 0, seq, settings, prefix, text.Length));
            return frame;
        }

        private static void JsonIsReadAsWritten() {
            string text = "{\"a\":[1,-2.5,true,false,null,{},[]],"
                + "\"\\u00e9\\n\":\"\\\"\\\\ \\ud83d\\udc09\",\"b\":{\"c\":9007199254740991}}";
            object value = Json.Parse(text);
            AssertEqual(Driver.Write(Json.Parse(Driver.Write(value))), Driver.Write(value));
            AssertEqual(((Dictionary<string, object>)value)["é\n"], "\"\\ 🐉");
            AssertEqual(Driver.Write(Json.Parse(" [ 1 , -2.5 ] ")), "[1,-2.5]");
            string[] others = {
                "", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "\"", "\"\\", "\"\\u12", "\"\\u12x4\"", "tru", "1 2",
                "{a:1}", "1\0", new string('[', 200),
            };
            foreach (string other in others) {
                AssertThrows<FormatException>(() => Json.Parse(other));
            }
        }

        // The queue and the outbox.

        private static void QueueAgreesWithModel() {
            for (int seed = 0; seed < 200; seed++) {
                var random = new Random(seed);
                var queue = new PushQueue(Options(7410));
                var model = new SortedDictionary<long, byte[]>();
                long window = 1 + random.Next(20);
                var welcome = new Dictionary<string, object> { { "window", window } };
                queue.Welcomed(welcome);
                long sent = 0;
                for (int step = 0; step < 300; step++) {
                    long seq = queue.Settled + random.Next(5);
                    int action = random.Next(6);
                    if (action < 2) {
                        var payload = new string('x', random.Next(random.Next(10) == 0 ? 40000 : 3000));
                        long number = queue.Add(payload, NoBytes, default(PushSettings));
                        model.Add(number, Frame(number, payload));
                    } else if (action == 2) {
                        sent = AssertTakes(queue, model, sent, window, random.Next(100000));
                    } else if (action == 3 && seq <= sent) {
                        queue.Acknowledged(seq, 0);
                        model.Keys.Where(key => key <= seq).ToList().ForEach(key => model.Remove(key));
                    } else if (action == 4 && seq <= sent) {
                        queue.Refused(seq, new Dictionary<string, object>());
                        model.Remove(seq);
                    } else if (action == 5 && random.Next(10) == 0) {
                        queue.Rewind();
                        queue.Welcomed(welcome);
                        sent = 0;
                    }
                    AssertEqual(queue.Statistics.Queued, (long)model.Count);
                    AssertEqual(queue.Settled, (model.Count == 0 ? queue.Last + 1 : model.Keys.First()) - 1);
                }
            }
        }

        /// <summary>Takes what is due: the next pushes after the last one sent. Returns the new last one.</summary>
        private static long AssertTakes(
            PushQueue queue, SortedDictionary<long, byte[]> model, long sent, long window, int most) {
            var found = new MemoryStream();
            var wanted = new MemoryStream();
            queue.Take(found, most);
            foreach (KeyValuePair<long, byte[]> push in model.Where(one => one.Key > sent)) {
                if (wanted.Length < found.Length) {
                    wanted.Write(push.Value, 0, push.Value.Length);
                    sent = push.Key;
                }
            }
            Check(found.ToArray().SequenceEqual(wanted.ToArray()), "other frames are sent");
            Check(model.Keys.Count(key => key <= sent) <= window, "the window is exceeded");
            return sent;
        }

        private static byte[] Numbered(long seq) => Frame(seq, "{\"n\":" + seq + "}");

        /// <summary>Appends pushes to a file; returns the numbers of those that were in it before.</summary>
        private static string Pushes(string path, string producer, params long[] appended) {
            var found = new List<long>();
            using (var outbox = new Outbox(path, "a", producer, (bytes, offset, length) => {
                found.Add(Frames.Seq(bytes, offset));
                Check(bytes.Skip(offset).Take(length).SequenceEqual(Numbered(found.Last())), "another push is loaded");
            })) {
                foreach (long seq in appended) {
                    outbox.Append(Numbered(seq), 0, Numbered(seq).Length);
                }
            }
            return string.Join(" ", found);
        }

        private static void OutboxIsCutAnywhere() {
            string path = TemporaryFile();
            Pushes(path, "p", 1, 2);
            byte[] whole = File.ReadAllBytes(path);
            for (int length = 0; length <= whole.Length; length++) {
                File.WriteAllBytes(path, whole.Take(length).ToArray());
                int cut = whole.Length - length;
                string kept = cut == 0 ? "1 2" : cut <= Numbered(2).Length ? "1" : "";
                AssertEqual(Pushes(path, "p", 3), kept);
                AssertEqual(Pushes(path, "p"), (kept + " 3").Trim());
            }
        }

        private static void OutboxHasOneUser() {
            string path = TemporaryFile();
            using (new Outbox(path, "a", "p", (bytes, offset, length) => { })) {
                AssertThrows<IOException>(() => Pushes(path, "p"));
            }
        }

        private static string TemporaryFile() {
            string path = Path.GetTempFileName();
            AppDomain.CurrentDomain.ProcessExit += (sender, e) => File.Delete(path);
            return path;
        }

        // Certificates.

        /// <summary>A certificate for router.example, *.games.example and 127.0.0.1.</summary>
        private const string Certificate =
            "MIICRDCCAa2gAwIBAgIUBn6OClPG11BygXsW0ANLM6fnGO4wDQYJKoZIhvcNAQELBQAwGTEXMBUGA1UEAwwOY29tbW9uLmV4"
            + "YW1wbGUwIBcNMjYxMTI3MTg0MDMwWhgPMjEyNjExMDMxODQwMzBaMBkxFzAVBgNVBAMMDmNvbW1vbi5leGFtcGxlMIGfMA0G"
            + "CSqGSIb3DQEBAQUAA4GNADCBiQKBgQDTXKEuFpkHnLWDLfIMHTymCeXc6lpBBiEUQ1eMRiBDh0H0I6YbmxvHm6F8lLIQVpmI"
            + "8svPGXws7slTGQSUae8AcH15RH7rqZuxtpLsDDIjm08qJBO/iMBgtN8Wnm0hSVTAjmVkzIJYhd8VGU+u+SoCwwiAG58HV3ur"
            + "q66AU39E+QIDAQABo4GGMIGDMB0GA1UdDgQWBBTQFQ4mk69faPJ3e/Nnw6/c3AbKFjAfBgNVHSMEGDAWgBTQFQ4mk69faPJ3"
            + "e/Nnw6/c3AbKFjAPBgNVHRMBAf8EBTADAQH/MDAGA1UdEQQpMCeCDnJvdXRlci5leGFtcGxlgg8qLmdhbWVzLmV4YW1wbGWH"
            + "BH8AAAEwDQYJKoZIhvcNAQELBQADgYEAZ9t4dwwVgocddzKGR3EgpplrZgz5jcDjp5d4DdDKvsjuS2YF+rJ6WHqv4t5j2Edn"
            + "DhKK9yh+VIx/nEYfe3PRs1+MrqNXlK6P+vRaIDCRnQ2QvJE9iI1qYctoEmbcRy/yivQJJWMumfYZQ9v3WBLxqXXA/HKPDs76"
            + "p11xwEu6dY8=";

        private static void NamesAreCompared() {
            var certificate = new X509Certificate2(Convert.FromBase64String(Certificate));
            foreach (string host in new[] { "router.example", "ROUTER.example", "a.games.example", "127.0.0.1" }) {
                Check(Tls.IsFor(host, certificate), host + " is refused");
            }
            string[] others = {
                "example", "a.router.example", "games.example", "a.b.games.example", ".games.example", "127.0.0.2",
                "::1", "*.games.example.org", "common.example", "",
            };
            foreach (string host in others) {
                Check(!Tls.IsFor(host, certificate), host + " is accepted");
            }
        }

        // The whole.

        private static PublisherOptions Options(int port)
            => new PublisherOptions("127.0.0.1", "a", "p") { Port = port, Plain = true };

        private static void OptionsAreChecked() {
            AssertEqual(new PublisherOptions("localhost:1", "a", "p").Address, "localhost:1");
            AssertEqual(new PublisherOptions("[::1]", "a", "p").Address, "[::1]:7410");
            AssertThrows<ArgumentException>(() => Options(0));
            PublisherOptions options = Options(7410);
            options.QueuedPushes = 0;
            AssertThrows<ArgumentException>(() => Publisher.Connect(options));
            options.QueuedPushes = 1;
            options.QueuedBytes = -1;
            AssertThrows<ArgumentException>(() => Publisher.Connect(options));
            options.QueuedBytes = 1;
            options.Outbox = "/no/such/folder/file";
            AssertThrows<PublisherException>(() => Publisher.Connect(options));
            Frames.PrefixBytes(new PushSettings { ExpiresAt = DateTimeOffset.MaxValue });
        }

        private static void ConnectLimitMayBeLong() {
            using (var router = new Router()) {
                PublisherOptions options = Options(router.Port);
                options.ConnectLimit = TimeSpan.MaxValue;
                Task<Publisher> connecting = Publisher.ConnectAsync(options);
                Check(!connecting.Wait(50), "there is no session yet");
                router.Welcome();
                connecting.GetAwaiter().GetResult().Dispose();
            }
        }

        private static void ListenerMayNotWait() {
            var seen = new List<string>();
            using (var router = new Router()) {
                PublisherOptions options = Options(router.Port);
                Publisher publisher = null;
                options.OnEvent = happened => {
                    if (happened.Kind == PublisherEventKind.Rejected) {
                        AssertThrows<InvalidOperationException>(() => publisher.Flush(TimeSpan.FromSeconds(1)));
                        seen.Add(happened.Code);
                        throw new ArgumentException("a fault of the listener");
                    }
                };
                publisher = Publisher.Start(options);
                router.Welcome();
                AssertEqual(publisher.Push("[]"), 1L);
                AssertEqual(publisher.Push("{}"), 2L);
                router.Read();
                router.Read();
                router.Send(Frames.Encode(Frames.Reject, 1, "{\"code\":\"payload-not-object\"}"));
                router.Send(Frames.Encode(Frames.Ack, 2, "\0\0\0\0"));
                Check(publisher.Flush(TimeSpan.FromSeconds(10)), "the pushes are not settled");
                AssertEqual(string.Join(",", seen), "payload-not-object");
                AssertEqual(
                    publisher.Statistics.ToString(),
                    "queued 0, sent 2, acknowledged 1, rejected 1, matched 0, reconnects 0");
                publisher.Dispose();
                AssertThrows<PublisherException>(() => publisher.TryPush("{}", out long seq));
            }
        }

        private static void TasksWait() {
            using (var router = new Router()) {
                PublisherOptions options = Options(router.Port);
                options.QueuedPushes = 1;
                using (Publisher publisher = Publisher.Start(options)) {
                    Task<long> first = publisher.PushAsync("{}").AsTask();
                    Check(!first.Wait(50), "a push has a number before the first session");
                    router.Welcome();
                    AssertEqual(first.Result, 1L);
                    Task<long> second = publisher.PushAsync("{}").AsTask();
                    Check(!second.Wait(50), "a push is accepted although the queue is full");
                    foreach (double time in new[] { -5, -1.5, 50 }) {
                        Check(!publisher.FlushAsync(TimeSpan.FromMilliseconds(time)).Result, "nothing is acknowledged");
                    }
                    router.Read();
                    router.Send(Frames.Encode(Frames.Ack, 1, "\0\0\0\0"));
                    AssertEqual(second.Result, 2L);
                    Task<bool> flush = publisher.FlushAsync(TimeSpan.FromSeconds(10));
                    router.Read();
                    router.Send(Frames.Encode(Frames.Ack, 2, "\0\0\0\0"));
                    Check(flush.Result, "the pushes are not settled");
                    Task<long> third = publisher.PushAsync("{}").AsTask();
                    AssertEqual(third.Result, 3L);
                    Task<long> fourth = publisher.PushAsync("{}").AsTask();
                    publisher.Dispose();
                    AssertThrows<AggregateException>(() => fourth.Wait());
                }
            }
        }

        private static void TryPushNeedsNoMemory() {
            const int Count = 200000;
            var settings = new PushSettings {
                Urgent = true, ExpiresAt = DateTimeOffset.UtcNow, Kinds = new List<string> { "k" },
            };
            using (var router = new Router()) {
                PublisherOptions options = Options(router.Port);
                options.QueuedPushes = Count + 1;
                options.QueuedBytes = 100 << 20;
                using (Publisher publisher = Publisher.Start(options)) {
                    router.Welcome();
                    publisher.Push("{}");
                    PushMany(publisher, Count, settings);
                    // The queue has grown. The next session settles all, so that as many fit again.
                    router.Welcome(Count + 1);
                    Check(publisher.Flush(TimeSpan.FromSeconds(10)), "the pushes are not settled");
                    int before = GC.CollectionCount(0);
                    PushMany(publisher, Count, settings);
                    AssertEqual(GC.CollectionCount(0), before);
                }
            }
        }

        private static void PushMany(Publisher publisher, int count, PushSettings settings) {
            for (int n = 0; n < count; n++) {
                Check(publisher.TryPush(Potion, out long seq, settings), "the queue is full");
            }
        }

        /// <summary>A router of one connection that does what a test says.</summary>
        private sealed class Router : IDisposable {
            private readonly TcpListener listener = new TcpListener(IPAddress.Loopback, 0);
            private TcpClient client;

            public Router() {
                listener.Start();
            }

            public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

            /// <summary>Begins a session, with a window of nine pushes; ends the one before.</summary>
            public void Welcome(long lastSeq = 0) {
                client?.Close();
                client = listener.AcceptTcpClient();
                Read();
                Send(Frames.Encode(Frames.Welcome, 0, "{\"v\":1,\"window\":9,\"lastSeq\":" + lastSeq + "}"));
            }

            /// <summary>Reads one frame.</summary>
            public void Read() {
                byte[] length = Read(4);
                Read((int)Frames.GetUInt32(length, 0));
            }

            public void Send(byte[] frame) => client.GetStream().Write(frame, 0, frame.Length);

            public void Dispose() {
                client?.Close();
                listener.Stop();
            }

            private byte[] Read(int count) {
                var bytes = new byte[count];
                for (int offset = 0; offset < count;) {
                    int read = client.GetStream().Read(bytes, offset, count - offset);
                    Check(read > 0, "the publisher has closed the connection");
                    offset += read;
                }
                return bytes;
            }
        }

        // Checks.

        private static void Check(bool condition, string otherwise) {
            if (!condition) {
                throw new InvalidDataException(otherwise);
            }
        }

        private static void AssertEqual<T>(T found, T wanted)
            => Check(Equals(found, wanted), "found " + found + ", wanted " + wanted);

        private static void AssertThrows<T>(Action body)
            where T : Exception {
            try {
                body();
            } catch (T) {
                return;
            }
            throw new InvalidDataException("nothing is thrown");
        }
    }
}

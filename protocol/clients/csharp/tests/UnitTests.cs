using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ReloadRouter.Client.Tests {
    /// <summary>
    /// Tests of what is the client's own; those of <c>Tests/ClientTests</c>, of all clients, test the whole.
    /// </summary>
    public static class UnitTests {
        /// <summary>Runs all tests; what fails throws, and ends the program with its trace.</summary>
        public static void Main() {
            var tests = new Action[] {
                JsonIsReadAsWritten, OutboxHasOneUser, NamesInCertificatesAreCompared, LimitsAreChecked,
                ListenerMayNotWaitAndMayFail, TasksWaitAsCallsDo, TryPushNeedsNoMemory,
            };
            foreach (Action test in tests) {
                test();
            }
            Console.WriteLine("Ran " + tests.Length + " tests in C#");
        }

        private static void JsonIsReadAsWritten() {
            string text = "{\"a\":[1,-2.5,true,false,null,{},[]],"
                + "\"\\u00e9\\n\":\"\\\"\\\\ \\ud83d\\udc09\",\"b\":{\"c\":9007199254740991}}";
            object value = Json.Parse(text);
            AssertEqual(Driver.Write(Json.Parse(Driver.Write(value))), Driver.Write(value));
            AssertEqual(((Dictionary<string, object>)value)["é\n"], "\"\\ 🐉");
            AssertEqual(Driver.Write(Json.Parse(" [ 1 , -2.5 ,\"\\/\\b\" ] ")), "[1,-2.5,\"/\\u0008\"]");
            string[] others = {
                "", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "\"", "\"\\", "\"\\u12", "\"\\u12x4\"", "\"\\d\"",
                "\"\n\"", "tru", "NaN", "1 2", "{a:1}", "1\0", new string('[', 200),
            };
            foreach (string other in others) {
                AssertThrows<FormatException>(() => Json.Parse(other));
            }
        }

        /// <summary>The suite cannot try this in C#, because Mono sees it only within one process.</summary>
        private static void OutboxHasOneUser() {
            string path = Path.GetTempFileName();
            try {
                using (new Outbox(path, "a", "p", null)) {
                    AssertThrows<PublisherException>(() => new Outbox(path, "a", "p", null));
                }
                new Outbox(path, "a", "p", null).Dispose();
            } finally {
                File.Delete(path);
            }
        }

        private static void NamesInCertificatesAreCompared() {
            byte[] names = Encoding.GetEncoding("iso-8859-1").GetBytes(
                "\x30\x27\u0082\x0erouter.example\u0082\x0f*.games.example\u0087\x04\x7f\0\0\x01");
            foreach (string host in new[] { "router.example", "ROUTER.example", "a.games.example", "127.0.0.1" }) {
                Check(Tls.IsFor(host, names), host + " is refused");
            }
            string[] others = {
                "example", "a.router.example", "games.example", "a.b.games.example", ".games.example", "127.0.0.2",
                "::1", "*.games.example.org", "common.example", "",
            };
            foreach (string host in others) {
                Check(!Tls.IsFor(host, names), host + " is accepted");
            }
            Check(!Tls.IsFor("router.example", new byte[0]), "a certificate without names is accepted");
        }

        private static void LimitsAreChecked() {
            var options = new PublisherOptions("127.0.0.1", "a", "p") { QueuedPushes = 0 };
            AssertThrows<ArgumentException>(() => Publisher.Connect(options));
            options.QueuedPushes = 1;
            options.QueuedBytes = -1;
            AssertThrows<ArgumentException>(() => Publisher.Connect(options));
            options.QueuedBytes = 1;
            options.Outbox = "/no/such/folder/file";
            AssertThrows<PublisherException>(() => Publisher.Connect(options));
            Frames.PutPush(new byte[24], 0, 1, new PushSettings { ExpiresAt = DateTimeOffset.MaxValue }, 0);
        }

        private static void ListenerMayNotWaitAndMayFail() {
            var called = new SemaphoreSlim(0);
            Publisher publisher = null;
            publisher = Publisher.Start(new PublisherOptions("127.0.0.1:1", "a", "p") {
                OnEvent = happened => {
                    AssertThrows<InvalidOperationException>(() => publisher.Flush(TimeSpan.FromSeconds(1)));
                    called.Release();
                    throw new ArgumentException("a fault of the listener");
                },
            });
            Check(called.Wait(10000) && called.Wait(10000), "the connection is not tried, and reported, again");
            publisher.Dispose();
            AssertThrows<PublisherException>(() => publisher.TryPush("{}", out long seq));
        }

        /// <summary>Calls wait for tasks, so the suite tests both; a task does not keep its caller's thread.</summary>
        private static void TasksWaitAsCallsDo() {
            using (var router = new Router()) {
                PublisherOptions options = router.Options();
                options.QueuedPushes = 1;
                options.ConnectLimit = TimeSpan.MaxValue;
                Task<Publisher> connecting = Publisher.ConnectAsync(options);
                Check(!connecting.Wait(50), "there is no session yet");
                router.Welcome();
                using (Publisher publisher = connecting.Result) {
                    AssertEqual(publisher.PushAsync("{}").Result, 1L);
                    Task<long> second = publisher.PushAsync("{}").AsTask();
                    Check(!second.Wait(50), "a push is accepted although the queue is full");
                    foreach (double time in new[] { -5, -1.5, 50 }) {
                        Check(!publisher.FlushAsync(TimeSpan.FromMilliseconds(time)).Result, "nothing is acknowledged");
                    }
                    router.Read();
                    router.Send(Frames.Ack, 1, "\0\0\0\0");
                    AssertEqual(second.Result, 2L);
                    Task<long> third = publisher.PushAsync("{}").AsTask();
                    publisher.Dispose();
                    AssertThrows<AggregateException>(() => third.Wait());
                }
            }
        }

        private static void TryPushNeedsNoMemory() {
            const int Count = 200000;
            using (var router = new Router()) {
                PublisherOptions options = router.Options();
                options.QueuedPushes = Count + 1;
                options.QueuedBytes = 100 << 20;
                using (Publisher publisher = Publisher.Start(options)) {
                    router.Welcome();
                    publisher.Push(new ArraySegment<byte>(new[] { (byte)'{', (byte)'}' }));
                    PushMany(publisher, Count);
                    // The queue has grown. The next session settles all, so that as many fit again.
                    router.Welcome(Count + 1);
                    Check(publisher.Flush(TimeSpan.FromSeconds(10)), "the pushes are not settled");
                    int before = GC.CollectionCount(0);
                    PushMany(publisher, Count);
                    AssertEqual(GC.CollectionCount(0), before);
                }
            }
        }

        private static void PushMany(Publisher publisher, int count) {
            var settings = new PushSettings {
                Urgent = true, ExpiresAt = DateTimeOffset.UtcNow, Kinds = new List<string> { "k" },
            };
            for (int n = 0; n < count; n++) {
                Check(publisher.TryPush("{\"character\":\"elf-42\"}", out long seq, settings), "the queue is full");
            }
        }

        /// <summary>A router of one connection that does what a test says.</summary>
        private sealed class Router : IDisposable {
            private readonly TcpListener listener = new TcpListener(IPAddress.Loopback, 0);
            private Stream stream;

            public Router() {
                listener.Start();
            }

            /// <summary>Options of a publisher of this router.</summary>
            public PublisherOptions Options()
                => new PublisherOptions(listener.LocalEndpoint.ToString(), "a", "p") { Plain = true };

            /// <summary>Begins a session, with a window of nine pushes; ends the one before.</summary>
            public void Welcome(long lastSeq = 0) {
                stream?.Dispose();
                stream = listener.AcceptTcpClient().GetStream();
                Read();
                Send(Frames.Welcome, 0, "{\"v\":1,\"window\":9,\"lastSeq\":" + lastSeq + "}");
            }

            /// <summary>Reads one frame.</summary>
            public void Read() {
                Check(Frames.Read(stream, new byte[Frames.MostBytes]) > 0, "the publisher has closed the connection");
            }

            public void Send(byte type, long seq, string body) {
                byte[] frame = Frames.Encode(type, seq, body);
                stream.Write(frame, 0, frame.Length);
            }

            public void Dispose() {
                stream?.Dispose();
                listener.Stop();
            }
        }

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

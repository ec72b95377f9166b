using System;
using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace ReloadRouter.Client.Tests
{
    /// <summary>Measures pushes a second on one connection: HOST PORT APP TOKEN PRODUCER COUNT.</summary>
    public static class Bench
    {
        /// <summary>Prints one line of JSON.</summary>
        public static int Main(string[] arguments)
        {
            var options = new PublisherOptions(arguments[0], arguments[2], arguments[4])
            {
                Port = int.Parse(arguments[1]),
                Plain = true,
                Token = arguments[3].Length > 0 ? arguments[3] : null,
            };
            int count = int.Parse(arguments[5]);
            var payload = new ArraySegment<byte>(
                Encoding.UTF8.GetBytes("{\"event\":\"damage\",\"character\":\"elf-42\",\"amount\":25}"));
            using (Publisher publisher = Publisher.Connect(options))
            {
                publisher.Push(payload);
                if (!publisher.Flush(TimeSpan.FromSeconds(10)))
                {
                    Console.Error.WriteLine("the router does not answer");
                    return 1;
                }
                TimeSpan cpu = Process.GetCurrentProcess().TotalProcessorTime;
                Stopwatch clock = Stopwatch.StartNew();
                for (int index = 0; index < count; index++)
                {
                    publisher.Push(payload);
                }
                if (!publisher.Flush(TimeSpan.FromMinutes(10)))
                {
                    Console.Error.WriteLine("the publisher has ended");
                    return 1;
                }
                double seconds = clock.Elapsed.TotalSeconds;
                double used = (Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalSeconds;
                Console.WriteLine(
                    "{\"pushes\":" + count
                    + ",\"seconds\":" + seconds.ToString("F3", CultureInfo.InvariantCulture)
                    + ",\"cpuSeconds\":" + used.ToString("F3", CultureInfo.InvariantCulture) + "}");
                return 0;
            }
        }
    }
}

using System;
using System.Text;

namespace ReloadRouter.Client
{
    /// <summary>
    /// The bytes of the push protocol's frames: length u32, type, flags, two zeros, seq u64, body.
    /// All integers are big-endian; the length counts what follows it.
    /// </summary>
    internal static class Frames
    {
        public const byte Hello = 0x01;
        public const byte Welcome = 0x02;
        public const byte Ping = 0x03;
        public const byte Pong = 0x04;
        public const byte Push = 0x10;
        public const byte Ack = 0x11;
        public const byte Reject = 0x12;
        public const byte Outcome = 0x13;
        public const byte Error = 0x7e;
        public const byte GoAway = 0x7f;

        /// <summary>Frames of types from here on that the client does not know are passed over.</summary>
        public const byte FirstIgnored = 0x40;

        public const int HeaderBytes = 16;

        /// <summary>The longest body that is accepted from a router.</summary>
        public const int MostBodyBytes = 1 << 20;

        private const byte Urgent = 0x01;
        private const byte Expires = 0x02;
        private const byte Kinds = 0x04;

        private static readonly DateTimeOffset Epoch = new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero);

        /// <summary>Dates before are numbers in another unit; a later one than the last of 9999 there is not.</summary>
        private static readonly DateTimeOffset FirstDate = new DateTimeOffset(2001, 1, 1, 0, 0, 0, TimeSpan.Zero);

        public static uint GetUInt32(byte[] bytes, int offset)
        {
            return (uint)(bytes[offset] << 24 | bytes[offset + 1] << 16 | bytes[offset + 2] << 8 | bytes[offset + 3]);
        }

        public static long GetInt64(byte[] bytes, int offset)
        {
            return (long)GetUInt32(bytes, offset) << 32 | GetUInt32(bytes, offset + 4);
        }

        /// <summary>Writes a header for a body of some bytes.</summary>
        public static void PutHeader(byte[] bytes, int offset, byte type, byte flags, long seq, int body)
        {
            Put(bytes, offset, HeaderBytes - 4 + body);
            Put(bytes, offset + 4, type << 24 | flags << 16);
            Put(bytes, offset + 8, (int)(seq >> 32));
            Put(bytes, offset + 12, (int)seq);
        }

        /// <summary>A whole frame.</summary>
        public static byte[] Encode(byte type, long seq, string body)
        {
            int length = Encoding.UTF8.GetByteCount(body);
            var frame = new byte[HeaderBytes + length];
            PutHeader(frame, 0, type, 0, seq, length);
            Encoding.UTF8.GetBytes(body, 0, body.Length, frame, HeaderBytes);
            return frame;
        }

        /// <summary>The length of what stands before the payload of a push: its date and kinds.</summary>
        public static int PrefixBytes(PushSettings settings)
        {
            int length = settings.ExpiresAt.HasValue ? 8 : 0;
            if (settings.ExpiresAt is DateTimeOffset date && date < FirstDate)
            {
                throw new ArgumentException(
                    "ExpiresAt is " + date.ToString("u") + ", which is no date from 2001 to 9999; was it made from a "
                    + "number that is not in milliseconds since 1970?");
            }
            if (settings.Kinds == null)
            {
                return length;
            }
            int names = 0;
            for (int index = 0; index < settings.Kinds.Count; index++)
            {
                int name = Encoding.UTF8.GetByteCount(settings.Kinds[index]);
                if (name < 1 || name > 128)
                {
                    throw new ArgumentException("a kind has 1 to 128 bytes");
                }
                names += 1 + name;
            }
            if (names > 0xffff)
            {
                throw new ArgumentException("the kinds have more than 65,535 bytes");
            }
            return length + 2 + names;
        }

        /// <summary>Writes a PUSH frame up to its payload; returns the offset of the payload.</summary>
        public static int PutPush(byte[] bytes, int start, long seq, PushSettings settings, int prefix, int payload)
        {
            int flags = (settings.Urgent ? Urgent : 0) | (settings.ExpiresAt.HasValue ? Expires : 0)
                | (settings.Kinds != null ? Kinds : 0);
            PutHeader(bytes, start, Push, (byte)flags, seq, prefix + payload);
            int offset = start + HeaderBytes;
            int end = offset + prefix;
            if (settings.ExpiresAt is DateTimeOffset date)
            {
                long milliseconds = (date - Epoch).Ticks / TimeSpan.TicksPerMillisecond;
                Put(bytes, offset, (int)(milliseconds >> 32));
                Put(bytes, offset + 4, (int)milliseconds);
                offset += 8;
            }
            if (settings.Kinds != null)
            {
                bytes[offset] = (byte)(end - offset - 2 >> 8);
                bytes[offset + 1] = (byte)(end - offset - 2);
                offset += 2;
                for (int index = 0; index < settings.Kinds.Count; index++)
                {
                    string kind = settings.Kinds[index];
                    bytes[offset] = (byte)Encoding.UTF8.GetBytes(kind, 0, kind.Length, bytes, offset + 1);
                    offset += 1 + bytes[offset];
                }
            }
            return end;
        }

        /// <summary>
        /// The length of the frame at an offset; 0 if its first four bytes are not there yet, and -1
        /// if the length is not one that a frame may have.
        /// </summary>
        public static int Length(byte[] bytes, int offset, int end)
        {
            if (end - offset < 4)
            {
                return 0;
            }
            long length = 4L + GetUInt32(bytes, offset);
            return length < HeaderBytes || length > HeaderBytes + MostBodyBytes ? -1 : (int)length;
        }

        private static void Put(byte[] bytes, int offset, int value)
        {
            bytes[offset] = (byte)(value >> 24);
            bytes[offset + 1] = (byte)(value >> 16);
            bytes[offset + 2] = (byte)(value >> 8);
            bytes[offset + 3] = (byte)value;
        }
    }
}

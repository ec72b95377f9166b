using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace ReloadRouter.Client {
    /// <summary>
    /// Reads JSON as dictionaries, lists, strings, numbers, booleans and null: whole numbers as
    /// <c>long</c>, others as <c>double</c>.
    /// </summary>
    internal sealed class Json {
        private const int MostLevels = 100;

        /// <summary>The text, and a NUL, at which all reading ends.</summary>
        private readonly string text;

        private int position;

        private Json(string text) {
            this.text = text + '\0';
        }

        /// <summary>The value of a text; throws <c>FormatException</c> if it is not JSON.</summary>
        public static object Parse(string text) {
            var json = new Json(text);
            object value = json.Value(MostLevels);
            json.Check(json.Skip('\0') && json.position > text.Length);
            return value;
        }

        /// <summary>A text as JSON.</summary>
        public static string Quote(string text) {
            var output = new StringBuilder("\"");
            foreach (char c in text) {
                bool isPlain = c >= ' ' && c != '"' && c != '\\' && !char.IsSurrogate(c);
                output.Append(isPlain ? c.ToString() : "\\u" + ((int)c).ToString("x4"));
            }
            return output.Append('"').ToString();
        }

        /// <summary>A whole number that an object has under a name, or another one.</summary>
        public static long Number(Dictionary<string, object> body, string name, long otherwise)
            => body.TryGetValue(name, out object value) && value is long number ? number : otherwise;

        /// <summary>A text that an object has under a name, or an empty one.</summary>
        public static string Text(Dictionary<string, object> body, string name)
            => body.TryGetValue(name, out object value) && value is string text ? text : "";

        private object Value(int levels) {
            Check(levels > 0);
            if (Skip('{')) {
                var map = new Dictionary<string, object>();
                for (bool more = !Skip('}'); more; more = HasMore('}')) {
                    Check(Skip('"'));
                    string key = String();
                    Check(Skip(':'));
                    map[key] = Value(levels - 1);
                }
                return map;
            }
            if (Skip('[')) {
                var list = new List<object>();
                for (bool more = !Skip(']'); more; more = HasMore(']')) {
                    list.Add(Value(levels - 1));
                }
                return list;
            }
            if (Skip('"')) {
                return String();
            }
            int start = position;
            while ("+-.0123456789Eaeflnrstu".IndexOf(text[position]) >= 0) {
                position++;
            }
            return Word(text.Substring(start, position - start));
        }

        private object Word(string word) {
            switch (word) {
                case "true": return true;
                case "false": return false;
                case "null": return null;
            }
            if (long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole)) {
                return whole;
            }
            Check(double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out double number));
            return number;
        }

        /// <summary>Reads a string whose first quotation mark is passed over already.</summary>
        private string String() {
            var output = new StringBuilder();
            for (char c = text[position++]; c != '"'; c = text[position++]) {
                Check(c >= ' ');
                output.Append(c == '\\' ? Escaped(text[position++]) : c);
            }
            return output.ToString();
        }

        private char Escaped(char c) {
            if (c == 'u') {
                position += 4;
                Check(position < text.Length);
                Check(ushort.TryParse(
                    text.Substring(position - 4, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture,
                    out ushort code));
                return (char)code;
            }
            int index = "\"\\/ntrbf".IndexOf(c);
            Check(index >= 0);
            return "\"\\/\n\t\r\b\f"[index];
        }

        /// <summary>Passes over spaces, and then over a character if it is the next one.</summary>
        private bool Skip(char c) {
            while (" \t\r\n".IndexOf(text[position]) >= 0) {
                position++;
            }
            bool isNext = text[position] == c;
            position += isNext ? 1 : 0;
            return isNext;
        }

        private bool HasMore(char end) {
            bool isOver = Skip(end);
            Check(isOver || Skip(','));
            return !isOver;
        }

        private void Check(bool isRight) {
            if (!isRight) {
                throw new FormatException("no JSON, at character " + position);
            }
        }
    }
}

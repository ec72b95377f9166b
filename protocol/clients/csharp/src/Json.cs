using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;

namespace ReloadRouter.Client {
    /// <summary>
    /// Reads JSON as dictionaries, lists, strings, numbers, booleans and null: whole numbers as
    /// <c>long</c>, others as <c>double</c>. .NET Standard has nothing that does.
    /// </summary>
    internal sealed class Json {
        private const int MostLevels = 100;

        /// <summary>A text in quotation marks, a word or a number, a sign, or the end, each after spaces.</summary>
        private static readonly Regex Token = new Regex(
            @"\G[ \t\r\n]*(?:""(?<text>(?>[^""\\\0-\x1f]+|\\(?:[""\\/bfnrt]|u[0-9A-Fa-f]{4}))*)"""
            + @"|(?<word>true|false|null|-?[0-9]+(?:\.[0-9]+)?(?:[Ee][-+]?[0-9]+)?)|(?<sign>[{}[\]:,])|(?<end>\z))");

        private Match next;

        private Json(string text) {
            next = Token.Match(text);
        }

        /// <summary>The value of a text; throws <c>FormatException</c> if it is not JSON.</summary>
        public static object Parse(string text) {
            var json = new Json(text);
            object value = json.Value(MostLevels);
            json.Check(json.next.Groups["end"].Success);
            return value;
        }

        /// <summary>A text as JSON.</summary>
        public static string Quote(string text) {
            return "\"" + string.Concat(text.Select(c => {
                bool isPlain = c >= ' ' && c != '"' && c != '\\' && !char.IsSurrogate(c);
                return isPlain ? c.ToString() : "\\u" + ((int)c).ToString("x4");
            })) + "\"";
        }

        /// <summary>A whole number that an object has under a name, or another one.</summary>
        public static long Number(Dictionary<string, object> body, string name, long otherwise)
            => body.TryGetValue(name, out object value) && value is long number ? number : otherwise;

        /// <summary>A text that an object has under a name, or an empty one.</summary>
        public static string Text(Dictionary<string, object> body, string name)
            => body.TryGetValue(name, out object value) && value is string text ? text : "";

        private object Value(int levels) {
            Check(levels > 0);
            if (Skip("{")) {
                var map = new Dictionary<string, object>();
                for (bool more = !Skip("}"); more; more = HasMore("}")) {
                    string name = Text();
                    Check(Skip(":"));
                    map[name] = Value(levels - 1);
                }
                return map;
            }
            if (Skip("[")) {
                var list = new List<object>();
                for (bool more = !Skip("]"); more; more = HasMore("]")) {
                    list.Add(Value(levels - 1));
                }
                return list;
            }
            return next.Groups["text"].Success ? Text() : Word(Take("word"));
        }

        private string Text() => Regex.Unescape(Take("text"));

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

        private string Take(string group) {
            Group found = next.Groups[group];
            Check(found.Success);
            next = next.NextMatch();
            return found.Value;
        }

        /// <summary>Passes over a sign if it is the next one.</summary>
        private bool Skip(string sign) => next.Groups["sign"].Value == sign && Take("sign") == sign;

        private bool HasMore(string end) {
            bool isOver = Skip(end);
            Check(isOver || Skip(","));
            return !isOver;
        }

        private void Check(bool isRight) {
            if (!isRight) {
                throw new FormatException("this is no JSON, at character " + next.Index);
            }
        }
    }
}

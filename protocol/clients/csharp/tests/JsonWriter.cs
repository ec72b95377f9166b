using System;
using System.Collections;
using System.Globalization;
using System.Text;

namespace ReloadRouter.Client.Tests
{
    /// <summary>Writes dictionaries, lists, strings, numbers, booleans and null as JSON without spaces.</summary>
    internal static class JsonWriter
    {
        public static string Write(object value)
        {
            var output = new StringBuilder();
            Write(value, output);
            return output.ToString();
        }

        private static void Write(object value, StringBuilder output)
        {
            if (value is IDictionary map)
            {
                char before = '{';
                foreach (DictionaryEntry entry in map)
                {
                    output.Append(before);
                    output.Append(Json.Quote((string)entry.Key)).Append(':');
                    Write(entry.Value, output);
                    before = ',';
                }
                output.Append(map.Count == 0 ? "{}" : "}");
            }
            else if (value is string text)
            {
                output.Append(Json.Quote(text));
            }
            else if (value is IEnumerable list)
            {
                char before = '[';
                foreach (object element in list)
                {
                    Write(element, output.Append(before));
                    before = ',';
                }
                output.Append(before == '[' ? "[]" : "]");
            }
            else if (value is bool flag)
            {
                output.Append(flag ? "true" : "false");
            }
            else if (value is double number)
            {
                output.Append(number.ToString("R", CultureInfo.InvariantCulture));
            }
            else
            {
                output.Append(value == null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture));
            }
        }
    }
}

package io.github.reloadrouter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON as {@link Map}, {@link List}, {@link String}, {@link Number}, {@link
 * Boolean} and null. Whole numbers are read as {@link Long}.
 */
final class Json {
    private static final int MOST_LEVELS = 100;

    /** The text, and a NUL, at which all reading ends. */
    private final String text;

    private int position;

    private Json(String text) { this.text = text + '\0'; }

    /** Returns the object of a text; throws {@link IllegalArgumentException} if it is none. */
    @SuppressWarnings("unchecked") // The keys of an object are texts.
    static Map<String, Object> object(String text) {
        Json json = new Json(text);
        Object value = json.value(MOST_LEVELS);
        json.check(value instanceof Map && json.skip('\0') && json.position > text.length());
        return (Map<String, Object>) value;
    }

    /** Returns a whole number that an object has under a name, or another one. */
    static long number(Map<?, ?> object, String name, long otherwise) {
        return object.get(name) instanceof Long number ? number : otherwise;
    }

    /** Returns a text that an object has under a name, or an empty one. */
    static String text(Map<?, ?> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    /** Returns a value as JSON without spaces. */
    static String write(Object value) {
        if (value instanceof Map<?, ?> map) {
            List<String> members = new ArrayList<>();
            map.forEach((key, member) -> members.add(quote(String.valueOf(key)) + ':' + write(member)));
            return '{' + String.join(",", members) + '}';
        } else if (value instanceof Iterable<?> list) {
            List<String> elements = new ArrayList<>();
            list.forEach(element -> elements.add(write(element)));
            return '[' + String.join(",", elements) + ']';
        }
        boolean isWord = value == null || value instanceof Number || value instanceof Boolean;
        return isWord ? String.valueOf(value) : quote(value.toString());
    }

    private static String quote(String string) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private Object value(int levels) {
        check(levels > 0);
        if (skip('{')) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (boolean more = !skip('}'); more; more = hasMore('}')) {
                check(skip('"'));
                String key = string();
                check(skip(':'));
                map.put(key, value(levels - 1));
            }
            return map;
        } else if (skip('[')) {
            List<Object> list = new ArrayList<>();
            for (boolean more = !skip(']'); more; more = hasMore(']')) {
                list.add(value(levels - 1));
            }
            return list;
        }
        return skip('"') ? string() : word();
    }

    private Object word() {
        int start = position;
        while ("+-.0123456789Eaeflnrstu".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        String word = text.substring(start, position);
        if (word.equals("true") || word.equals("false")) {
            return word.equals("true");
        } else if (word.equals("null")) {
            return null;
        } else if (word.matches("-?[0-9]{1,18}")) {
            return Long.valueOf(word);
        }
        return Double.valueOf(word); // What it throws is an IllegalArgumentException.
    }

    /** Reads a string whose first quotation mark is passed over already. */
    private String string() {
        StringBuilder out = new StringBuilder();
        for (char c = text.charAt(position++); c != '"'; c = text.charAt(position++)) {
            check(c >= ' ');
            out.append(c == '\\' ? escaped(text.charAt(position++)) : c);
        }
        return out.toString();
    }

    private char escaped(char c) {
        if (c == 'u') {
            position += 4;
            check(position < text.length());
            return (char) Integer.parseInt(text, position - 4, position, 16);
        }
        int index = "\"\\/ntrbf".indexOf(c);
        check(index >= 0);
        return "\"\\/\n\t\r\b\f".charAt(index);
    }

    private boolean hasMore(char end) {
        boolean isOver = skip(end);
        check(isOver || skip(','));
        return !isOver;
    }

    /** Passes over spaces, and then over a character if it is the next one. */
    private boolean skip(char c) {
        while (" \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        boolean isNext = text.charAt(position) == c;
        position += isNext ? 1 : 0;
        return isNext;
    }

    private void check(boolean isRight) {
        if (!isRight) {
            throw new IllegalArgumentException("no JSON, at character " + position);
        }
    }
}

package dev.millrace.text.encoding;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import java.util.Set;

/**
 * An encoding in which texts of others are read: Unicode's, and those that map bytes to characters without escape
 * sequences. In such an encoding a text is at most three times as large in UTF-8, and no text can switch to another
 * alphabet unseen, as ISO-2022 and UTF-7 allow.
 */
public final class TextEncoding {
    /** The encoding of every text that names no other. */
    public static final TextEncoding UTF_8 = new TextEncoding(StandardCharsets.UTF_8);

    /** Maximum length of a name that is looked up. */
    private static final int NAME_LENGTH_MAX = 40;

    private static final Set<String> UNICODE =
            Set.of("UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE");
    private static final Set<String> EXTEND_ASCII = Set.of(
            "UTF-8",
            "ISO-8859-1",
            "ISO-8859-2",
            "ISO-8859-3",
            "ISO-8859-4",
            "ISO-8859-5",
            "ISO-8859-6",
            "ISO-8859-7",
            "ISO-8859-8",
            "ISO-8859-9",
            "ISO-8859-13",
            "ISO-8859-15",
            "ISO-8859-16",
            "x-iso-8859-11",
            "TIS-620",
            "windows-1250",
            "windows-1251",
            "windows-1252",
            "windows-1253",
            "windows-1254",
            "windows-1255",
            "windows-1256",
            "windows-1257",
            "windows-1258",
            "windows-31j",
            "Shift_JIS",
            "EUC-JP",
            "EUC-KR",
            "x-windows-949",
            "GB2312",
            "GBK",
            "GB18030",
            "Big5",
            "Big5-HKSCS",
            "KOI8-R",
            "KOI8-U",
            "IBM437",
            "IBM850",
            "IBM852",
            "IBM855",
            "IBM866",
            "IBM00858",
            "x-MacRoman");

    private final Charset charset;

    private TextEncoding(Charset charset) {
        this.charset = charset;
    }

    /** Result of reading bytes. */
    public sealed interface Decoded {
        /** The text, from which the encoding makes the same bytes. */
        record Text(String text) implements Decoded {}

        /**
         * The bytes are no text in this encoding.
         *
         * @param offset of the first byte that has no character, from 0
         */
        record Malformed(int offset) implements Decoded {}
    }

    /**
     * The encoding of this name, as IANA or Java knows it, in any case; empty for one that is unknown or not read. ASCII is
     * read as UTF-8, of which it is a part.
     */
    public static Optional<TextEncoding> named(String name) {
        if (name.length() > NAME_LENGTH_MAX) {
            return Optional.empty();
        }
        try {
            Charset charset = Charset.forName(name.strip());
            if (charset.equals(StandardCharsets.US_ASCII)) {
                return Optional.of(UTF_8);
            }
            return EXTEND_ASCII.contains(charset.name()) || UNICODE.contains(charset.name())
                    ? Optional.of(new TextEncoding(charset))
                    : Optional.empty();
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return Optional.empty();
        }
    }

    /** The name by IANA, or by Java if IANA knows none. */
    public String name() {
        return charset.name();
    }

    /** Whether the bytes of ASCII are those of the same characters, as forms and the declaration of XML require. */
    public boolean extendsAscii() {
        return EXTEND_ASCII.contains(charset.name());
    }

    /** Reads all bytes, or none. */
    public Decoded decode(byte[] bytes) {
        requireNonNull(bytes, "bytes");
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate((int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()));
        CoderResult result = decoder.decode(in, out, true);
        if (!result.isError()) {
            result = decoder.flush(out);
        }
        return result.isError()
                ? new Decoded.Malformed(in.position())
                : new Decoded.Text(out.flip().toString());
    }

    /** The bytes of a text; empty if a character of it is none of this encoding. */
    public Optional<byte[]> encode(String text) {
        try {
            ByteBuffer encoded = charset.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return Optional.of(bytes);
        } catch (CharacterCodingException noSuchCharacter) {
            return Optional.empty();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TextEncoding encoding && charset.equals(encoding.charset);
    }

    @Override
    public int hashCode() {
        return charset.hashCode();
    }

    @Override
    public String toString() {
        return name();
    }
}

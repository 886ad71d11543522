package dev.millrace.text.encoding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.text.encoding.BodyEncoding.Declaration;
import dev.millrace.text.encoding.TextEncoding.Decoded;
import java.nio.charset.Charset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextEncodingTest {
    @ParameterizedTest
    @CsvSource({
        "iso-8859-1, José",
        "latin1, José",
        "windows-1252, 5 € “a”",
        "cp1252, 5 €",
        "Shift_JIS, 日本語",
        "euc-kr, 한국어",
        "GB18030, 中文😀",
        "koi8-r, Привет",
        "UTF-16, Größe😀",
        "utf8, Größe",
        "us-ascii, Größe"
    })
    void readsWhatTheEncodingWrites(String name, String text) {
        Charset written = name.equals("us-ascii") ? Charset.forName("utf-8") : Charset.forName(name);
        byte[] bytes = text.getBytes(written);

        TextEncoding encoding = TextEncoding.named(name).orElseThrow();

        assertThat(encoding.decode(bytes)).isEqualTo(new Decoded.Text(text));
        assertThat(encoding.encode(text)).contains(bytes);
    }

    @Test
    void writesNoReplacementForACharacterThatIsMissing() {
        assertThat(TextEncoding.named("iso-8859-1").orElseThrow().encode("5 €")).isEmpty();
        assertThat(TextEncoding.UTF_8.encode("\ud800")).as("half a character").isEmpty();
    }

    @Test
    void refusesWhatHasNoCharacterAndSaysWhere() {
        byte[] bytes = {'a', 'b', (byte) 0xE9, 'c'};

        assertThat(TextEncoding.UTF_8.decode(bytes)).isEqualTo(new Decoded.Malformed(2));
        assertThat(TextEncoding.named("windows-1252").orElseThrow().decode(new byte[] {'a', (byte) 0x81}))
                .isEqualTo(new Decoded.Malformed(1));
        assertThat(TextEncoding.UTF_8.decode(new byte[] {'a', (byte) 0xC3}))
                .as("a sequence that ends early")
                .isEqualTo(new Decoded.Malformed(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ISO-2022-JP",
                "ISO-2022-KR",
                "ISO-2022-CN",
                "UTF-7",
                "IBM037",
                "x-UTF-16LE-BOM",
                "no such",
                "",
                "\u00e9"
            })
    void readsNoEncodingWithEscapesAndNoUnknownOne(String name) {
        assertThat(TextEncoding.named(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "XML, , '<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?><a/>', ISO-8859-15",
        "XML, utf-8, '<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?><a/>', utf-8",
        "XML, , <a/>, UTF-8",
        "XML, , '\u00ff\u00fe<\u0000a\u0000', UTF-16LE",
        "XML, , '\u0000<\u0000?\u0000x', UTF-16BE",
        "XML, iso-8859-1, '\u00ef\u00bb\u00bf<a/>', UTF-8",
        "HTML, , '<html><head><META charset=windows-1251>', windows-1251",
        "HTML, , '<meta http-equiv=\"Content-Type\" content=\"text/html; charset=Shift_JIS\">', Shift_JIS",
        "NONE, , '<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?><a/>', UTF-8",
        "NONE, iso-8859-1, '\u00ef\u00bb\u00bfa', iso-8859-1",
        "NONE, , '\u00ef\u00bb\u00bfa', UTF-8"
    })
    void findsTheDeclaredEncoding(Declaration declaration, String charset, String body, String name) {
        BodyEncoding found = BodyEncoding.of(declaration, Optional.ofNullable(charset), body.getBytes(ISO_8859_1));

        assertThat(found.name()).isEqualTo(name);
    }

    @Test
    void leavesTheByteOrderMarkOut() {
        byte[] bytes = "\u00ef\u00bb\u00bfa\u00e9".getBytes(ISO_8859_1);
        BodyEncoding encoding = BodyEncoding.of(Declaration.NONE, Optional.of("utf-8"), bytes);

        assertThat(encoding.decode(bytes)).contains(new Decoded.Malformed(4));
        assertThat(encoding.decode("\u00ef\u00bb\u00bfa".getBytes(ISO_8859_1))).contains(new Decoded.Text("a"));
    }
}

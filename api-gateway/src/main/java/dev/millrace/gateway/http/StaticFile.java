package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.StreamMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/**
 * One file that every caller gets alike. Its bytes are in memory once, plain and compressed, however many requests ask for
 * them: answers refer to pieces of these bytes, and the next piece goes to a reader when the last one has been taken.
 * Immutable.
 */
public final class StaticFile {

    /** Browsers may keep the file for ever, because its address contains a digest of its content. */
    public static final String FOREVER = "public, max-age=31536000, immutable";

    /** Browsers ask each time whether the file has changed. */
    public static final String ASK_AGAIN = "no-cache";

    /** Largest piece that waits for a reader. */
    private static final int PIECE_BYTES = 32 << 10;

    private static final String GZIP = "gzip";

    private final Form plain;
    private final Form compressed;

    /** One encoding of the content, with the headers of its answers. */
    private record Form(String tag, ResponseHeaders found, ResponseHeaders unchanged, List<HttpData> pieces) {

        static Form of(byte[] content, String tag, ResponseHeadersBuilder headers) {
            headers.set(HttpHeaderNames.ETAG, tag);
            var unchanged = headers.build().toBuilder().status(HttpStatus.NOT_MODIFIED);
            unchanged.remove(HttpHeaderNames.CONTENT_TYPE);
            unchanged.remove(HttpHeaderNames.CONTENT_ENCODING);
            return new Form(tag, headers.contentLength(content.length).build(), unchanged.build(), pieces(content));
        }

        private static List<HttpData> pieces(byte[] content) {
            return IntStream.iterate(0, begin -> begin < content.length, begin -> begin + PIECE_BYTES)
                    .mapToObj(begin -> HttpData.wrap(content, begin, Math.min(PIECE_BYTES, content.length - begin)))
                    .toList();
        }

        HttpResponse answer(RequestHeaders request) {
            return isKnown(request.get(HttpHeaderNames.IF_NONE_MATCH, ""))
                    ? HttpResponse.of(unchanged)
                    : HttpResponse.of(found, StreamMessage.of(pieces.toArray(HttpData[]::new)));
        }

        private boolean isKnown(String tags) {
            return Stream.of(tags.split(",", -1))
                    .map(each -> each.strip().replaceFirst("^W/", ""))
                    .anyMatch(each -> each.equals(tag) || each.equals("*"));
        }
    }

    private StaticFile(Form plain, Form compressed) {
        this.plain = plain;
        this.compressed = compressed;
    }

    /**
     * Compresses a file.
     *
     * @param caching what browsers may keep: {@link #FOREVER} or {@link #ASK_AGAIN}
     */
    public static StaticFile of(byte[] content, MediaType type, String caching) {
        var digest = digest(content);
        var headers = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(type)
                .set(HttpHeaderNames.CACHE_CONTROL, caching)
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING.toString());
        var packed = compress(content);
        return new StaticFile(
                Form.of(content, "\"" + digest + "\"", headers.build().toBuilder()),
                Form.of(
                        packed,
                        "\"" + digest + "-gz\"",
                        headers.build().toBuilder().set(HttpHeaderNames.CONTENT_ENCODING, GZIP)));
    }

    /** The file in a form that the caller can read, or that it has it already. */
    public HttpResponse answer(RequestHeaders request) {
        return (takesGzip(request.get(HttpHeaderNames.ACCEPT_ENCODING, "")) ? compressed : plain).answer(request);
    }

    private static boolean takesGzip(String encodings) {
        return Stream.of(encodings.split(",", -1))
                .map(each -> each.replace(" ", ""))
                .anyMatch(
                        each -> each.equals(GZIP) || (each.startsWith(GZIP + ";q=") && !each.matches(".*=0(\\.0*)?")));
    }

    private static String digest(byte[] content) {
        var sum = new CRC32();
        sum.update(content);
        return HexFormat.of().toHexDigits(sum.getValue());
    }

    private static byte[] compress(byte[] content) {
        var out = new ByteArrayOutputStream(content.length / 3);
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}

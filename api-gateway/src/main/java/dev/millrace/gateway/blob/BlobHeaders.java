package dev.millrace.gateway.blob;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Headers of uploads and downloads of blobs. */
final class BlobHeaders {

    /** Anybody may have written the bytes, so no page of the gateway's origin may come of them. */
    private static final String NOTHING_ALLOWED = "default-src 'none'; frame-ancestors 'none'; sandbox";

    private static final String CONTENT_DIGEST = "content-digest";
    private static final int SHA_256_BYTES = 32;
    private static final Pattern SHA_256 = Pattern.compile("(?:^|,)\\s*sha-256=:([^:]*):");

    private BlobHeaders() {}

    /** The first message of an upload: what its headers say. */
    static UploadBlobRequest announcement(RequestHeaders headers) {
        var first = UploadBlobRequest.newBuilder().setMediaType(mediaType(headers));
        if (headers.contentLength() >= 0) {
            first.setBytes(headers.contentLength());
        }
        sha256(headers).ifPresent(first::setSha256);
        return first.build();
    }

    private static String mediaType(RequestHeaders headers) {
        var given = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
        @Nullable MediaType type = headers.contentType();
        if (type != null && (type.belongsTo(MediaType.FORM_DATA) || type.is(MediaType.parse("multipart/*")))) {
            throw new ProblemException(Problem.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "unsupported_media_type",
                    "The body is a form (" + given
                            + "), but a blob is the bytes as they are. Send them as the body, and"
                            + " name their type, as in: curl --upload-file FILE -X POST -H 'Content-Type: image/png'"
                            + " (without a type it is application/octet-stream)."));
        }
        return given.isEmpty() ? MediaType.OCTET_STREAM.toString() : given;
    }

    /** The SHA-256 of the body that the caller promises (RFC 9530), in hexadecimal digits. */
    private static Optional<String> sha256(RequestHeaders headers) {
        var given = String.join(",", headers.getAll(CONTENT_DIGEST));
        var digest = SHA_256.matcher(given);
        if (!digest.find()) {
            return Optional.empty();
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(digest.group(1));
            if (bytes.length == SHA_256_BYTES) {
                return Optional.of(HexFormat.of().formatHex(bytes));
            }
        } catch (IllegalArgumentException notBase64) {
            // The problem below says what is expected.
        }
        throw new ProblemException(Problem.invalidField(
                "Content-Digest", "is \"" + given + "\" (expected: sha-256=:, the base64 of 32 bytes, and a colon)"));
    }

    /** The part of the blob that the request wants; empty for the whole. */
    static Optional<ByteRange> range(RequestHeaders headers, Blob blob) {
        var condition = headers.get(HttpHeaderNames.IF_RANGE, "");
        return condition.isEmpty() || condition.equals(tag(blob))
                ? ByteRange.of(headers.get(HttpHeaderNames.RANGE, ""), blob.getBytes())
                : Optional.empty();
    }

    /** Whether the reader has the bytes already. */
    static boolean isKnown(RequestHeaders headers, Blob blob) {
        return Stream.of(headers.get(HttpHeaderNames.IF_NONE_MATCH, "").split(",", -1))
                .map(tag -> tag.strip().replaceFirst("^W/", ""))
                .anyMatch(tag -> tag.equals("*") || tag.equals(tag(blob)));
    }

    /** Headers of an answer without bytes. */
    static ResponseHeaders of(HttpStatus status, Blob blob) {
        return common(status, blob).build();
    }

    /** Headers of the whole blob. */
    static ResponseHeaders whole(Blob blob) {
        return described(HttpStatus.OK, blob).contentLength(blob.getBytes()).build();
    }

    /** Headers of a part of the blob. */
    static ResponseHeaders part(Blob blob, ByteRange range) {
        return described(HttpStatus.PARTIAL_CONTENT, blob)
                .set(HttpHeaderNames.CONTENT_RANGE, range.text(blob.getBytes()))
                .contentLength(range.length())
                .build();
    }

    private static ResponseHeadersBuilder described(HttpStatus status, Blob blob) {
        return common(status, blob)
                .set(HttpHeaderNames.CONTENT_TYPE, blob.getMediaType())
                .set(HttpHeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"" + blob.getId() + "\"")
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, NOTHING_ALLOWED);
    }

    private static ResponseHeadersBuilder common(HttpStatus status, Blob blob) {
        return ResponseHeaders.builder(status)
                .set(HttpHeaderNames.ACCEPT_RANGES, "bytes")
                .set(HttpHeaderNames.ETAG, tag(blob))
                // A cache may keep it for this reader, and asks each time whether the reader may still see it.
                .set(HttpHeaderNames.CACHE_CONTROL, "private, no-cache");
    }

    private static String tag(Blob blob) {
        return "\"" + blob.getSha256() + "\"";
    }
}

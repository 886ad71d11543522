package dev.millrace.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * A reference to a blob, a sequence of bytes that the workspace keeps. Jackson reads and writes it as the JSON that stands
 * for the blob, so that a component of an input or an output may have this type.
 *
 * @param id a UUID
 * @param bytes number of bytes
 * @param sha256 of the bytes, 64 lower-case hexadecimal digits
 * @param mediaType what the bytes are, as whoever saved them said
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Blob(
        @JsonProperty("$blob") String id,
        @JsonProperty("bytes") long bytes,
        @JsonProperty("sha256") String sha256,
        @JsonProperty("media_type") String mediaType) {
    public Blob {
        Objects.requireNonNull(id, "$blob");
        Objects.requireNonNull(sha256, "sha256");
        Objects.requireNonNull(mediaType, "media_type");
    }
}

package dev.millrace.gateway.blob;

import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.ListedBlob;

/** Blobs as the references that stand for them in payloads. */
final class BlobJson {

    private BlobJson() {}

    static void write(JsonWriter json, Blob blob) {
        json.text("$blob", blob.getId());
        json.integer("bytes", blob.getBytes());
        json.text("sha256", blob.getSha256());
        json.text("media_type", blob.getMediaType());
    }

    static void write(JsonWriter json, ListedBlob listed) {
        write(json, listed.getBlob());
        json.time("create_time", listed.getCreateTime());
        json.flag("is_used", listed.getIsUsed());
    }
}

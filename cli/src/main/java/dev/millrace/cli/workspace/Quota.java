package dev.millrace.cli.workspace;

/** Quotas of a workspace, in the order of tables. */
enum Quota {
    SUBMITS("submits_per_second", "submitted runs a second"),
    QUEUED_JOBS("queued_jobs", "jobs that wait or run"),
    OPEN_STREAMS("open_streams", "open streams"),
    LOG_BYTES("log_bytes_per_second", "bytes of log a second"),
    PAYLOAD_BYTES("payload_bytes_per_second", "bytes of payloads a second"),
    BLOB_BYTES("blob_bytes", "bytes of blobs");

    private final String use;
    private final String phrase;

    Quota(String use, String phrase) {
        this.use = use;
        this.phrase = phrase;
    }

    /** Name of its use in JSON. */
    String use() {
        return use;
    }

    /** Name of its limit in JSON. */
    String limit() {
        return use + "_max";
    }

    String phrase() {
        return phrase;
    }
}

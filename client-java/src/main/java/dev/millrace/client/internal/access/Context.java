package dev.millrace.client.internal.access;

/**
 * A server of the command line with what its caller needs there.
 *
 * @param server address of the gateway
 * @param workspace workspace of calls that name none; may be empty
 * @param token secret token; may be empty
 * @param caFile PEM file with the authority of the server's certificate; may be empty
 */
record Context(String server, String workspace, String token, String caFile) {
    /** Hides the token. */
    @Override
    public String toString() {
        return "Context[server=" + server + "]";
    }
}

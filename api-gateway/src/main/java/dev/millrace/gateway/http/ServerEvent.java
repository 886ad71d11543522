package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One server-sent event. It is encoded by hand, because its data are UTF-8 already and Armeria's events take text.
 *
 * @param id where the stream continues for a reader that reconnects with it; empty for events that are sent again in
 *     this case
 * @param json one JSON value; line ends in it are white space between tokens, since those in strings are escaped
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and written once
public record ServerEvent(String name, String id, byte[] json) {

    /** Last event of a complete stream. */
    static final ServerEvent END = new ServerEvent("end", "{}".getBytes(StandardCharsets.UTF_8));

    private static final byte[] DATA = "\ndata: ".getBytes(StandardCharsets.UTF_8);
    private static final int OVERHEAD = 64;

    public ServerEvent(String name, byte[] json) {
        this(name, "", json);
    }

    HttpData data() {
        var out = new ByteArrayOutputStream(json.length + OVERHEAD);
        out.writeBytes(((id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + name).getBytes(StandardCharsets.UTF_8));
        out.writeBytes(DATA);
        for (byte b : json) {
            switch (b) {
                // The reader joins the lines with line feeds, which equal carriage returns here.
                case '\n' -> out.writeBytes(DATA);
                case '\r' -> out.write(' ');
                default -> out.write(b);
            }
        }
        out.write('\n');
        out.write('\n');
        return HttpData.wrap(out.toByteArray());
    }
}

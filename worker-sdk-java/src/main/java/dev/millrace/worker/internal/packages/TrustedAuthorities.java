package dev.millrace.worker.internal.packages;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The authorities that Deno and Bun trust besides those that they bring, such as that of a company. */
public final class TrustedAuthorities {
    /** Variables that name a file with authorities, the most special one first. */
    private static final List<String> VARIABLES = List.of("DENO_CERT", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE");

    private TrustedAuthorities() {}

    /**
     * The file with the authorities, in PEM; empty if no variable names one that can be read.
     *
     * @param given variables of the worker
     */
    public static Optional<Path> in(Map<String, String> given) {
        return VARIABLES.stream()
                .flatMap(name -> Stream.ofNullable(given.get(name)))
                .filter(file -> !file.isBlank())
                .map(Path::of)
                .filter(Files::isReadable)
                .findFirst();
    }
}

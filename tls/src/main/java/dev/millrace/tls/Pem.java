package dev.millrace.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys in PEM. Fails with a {@link TlsException} that names the file, or where else they are. */
final class Pem {
    /** More than any bundle of authorities has. */
    private static final int FILE_BYTES_MAX = 4 << 20;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private Pem() {}

    /** The certificates of a file, in their order; at least one. */
    static List<X509Certificate> certificates(Path file) {
        return certificates("The file " + file, text(file));
    }

    /**
     * The certificates of a text, in their order; at least one.
     *
     * @param place of the text, which begins sentences
     */
    static List<X509Certificate> certificates(String place, String text) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(place, text)) {
            if (block.label.equals("CERTIFICATE")) {
                certificates.add(certificate(place, block.content()));
            }
        }
        if (certificates.isEmpty()) {
            throw new TlsException(place + " holds no certificate (expected: PEM, with -----BEGIN CERTIFICATE-----).");
        }
        return List.copyOf(certificates);
    }

    /** The first private key of a file. */
    static PrivateKey key(Path file) {
        return key("The file " + file, text(file), file.toString());
    }

    /**
     * The first private key of a text.
     *
     * @param place of the text, which begins sentences
     */
    static PrivateKey key(String place, String text) {
        return key(place, text, "OLD-FILE");
    }

    private static PrivateKey key(String place, String text, String file) {
        for (Block block : blocks(place, text)) {
            if (block.label.equals("PRIVATE KEY")) {
                return key(place, block.content());
            }
            if (block.label.endsWith("PRIVATE KEY")) {
                throw new TlsException(place + " holds a key as \"" + block.label
                        + "\", which cannot be read. Convert it: openssl pkcs8 -topk8 -nocrypt -in " + file
                        + " -out NEW-FILE");
            }
        }
        throw new TlsException(place + " holds no private key (expected: PEM, with -----BEGIN PRIVATE KEY-----).");
    }

    private static X509Certificate certificate(String place, byte[] content) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content));
        } catch (CertificateException broken) {
            throw new TlsException(place + " holds a certificate that cannot be read: " + broken.getMessage(), broken);
        }
    }

    private static PrivateKey key(String place, byte[] content) {
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(content);
        return ALGORITHMS.stream()
                .flatMap(algorithm -> key(algorithm, encoded).stream())
                .findFirst()
                .orElseThrow(
                        () -> new TlsException(place + " holds a private key that cannot be read (expected: one for "
                                + String.join(", ", ALGORITHMS) + " in PKCS #8)."));
    }

    /** Empty if the key is for another algorithm. */
    private static Optional<PrivateKey> key(String algorithm, PKCS8EncodedKeySpec encoded) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(encoded));
        } catch (GeneralSecurityException ofAnother) {
            return Optional.empty();
        }
    }

    private static List<Block> blocks(String place, String text) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new Block(place, matcher.group(1), matcher.group(2)));
        }
        return blocks;
    }

    private static String text(Path file) {
        return new String(bytes(file), ISO_8859_1);
    }

    /** The content of a file. */
    static byte[] bytes(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new TlsException("The file " + file + " has " + Files.size(file) + " bytes (expected: at most "
                        + FILE_BYTES_MAX + "): it can hold neither certificates nor a key.");
            }
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new TlsException(
                    "The file " + file + " cannot be read: " + unreadable
                            + ". Check its path and that this user may read it.",
                    unreadable);
        }
    }

    private record Block(String place, String label, String base64) {
        byte[] content() {
            try {
                return Base64.getMimeDecoder().decode(base64);
            } catch (IllegalArgumentException broken) {
                throw new TlsException(
                        place + " holds a " + label + " that is not base64: " + broken.getMessage(), broken);
            }
        }
    }
}

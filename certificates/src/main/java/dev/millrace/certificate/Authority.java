package dev.millrace.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority of its own, with keys on the curve P-256. It issues certificates for servers and clients. */
public final class Authority {
    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final int SERIAL_BITS = 127;
    /** Addresses, which certificates name otherwise than hosts. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Certificate own;

    private Authority(Certificate own) {
        this.own = own;
    }

    /** Makes an authority with a new key. */
    public static Authority create(String name, Validity validity) {
        KeyPair keys = newKeys();
        X500Principal subject = subject(name);
        JcaX509v3CertificateBuilder builder = builder(subject, subject, keys, validity);
        return new Authority(sign(builder, keys, keys, added -> {
            // It signs no other authorities.
            added.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            added.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        }));
    }

    /** The authority's certificate and key. */
    public Certificate certificate() {
        return own;
    }

    /**
     * Issues a certificate for a server.
     *
     * @param hosts names and addresses under which clients reach it; the first also names the certificate
     */
    public Certificate issueForServer(List<String> hosts, Validity validity) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("hosts: [] (expected: at least one)");
        }
        return issue(hosts.get(0), hosts, KeyPurposeId.id_kp_serverAuth, validity);
    }

    /** Issues a certificate by which a client proves who it is. */
    public Certificate issueForClient(String name, Validity validity) {
        return issue(name, List.of(), KeyPurposeId.id_kp_clientAuth, validity);
    }

    private Certificate issue(String name, Collection<String> hosts, KeyPurposeId purpose, Validity validity) {
        KeyPair keys = newKeys();
        X509Certificate issuer = own.certificate();
        JcaX509v3CertificateBuilder builder = builder(issuer.getSubjectX500Principal(), subject(name), keys, validity);
        return sign(builder, keys, new KeyPair(issuer.getPublicKey(), own.key()), added -> {
            added.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            added.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            added.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            added.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey()));
            if (!hosts.isEmpty()) {
                added.addExtension(Extension.subjectAlternativeName, false, names(hosts));
            }
        });
    }

    private static GeneralNames names(Collection<String> hosts) {
        return new GeneralNames(hosts.stream()
                .map(host -> new GeneralName(
                        ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new));
    }

    private static X500Principal subject(String name) {
        return new X500Principal("CN=\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, KeyPair keys, Validity validity) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM).add(BigInteger.ONE),
                Date.from(validity.from()),
                Date.from(validity.until()),
                subject,
                keys.getPublic());
    }

    private static Certificate sign(
            JcaX509v3CertificateBuilder builder, KeyPair subject, KeyPair issuer, Extensions extensions) {
        try {
            extensions.addTo(builder);
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(subject.getPublic()));
            return new Certificate(
                    new JcaX509CertificateConverter()
                            .getCertificate(
                                    builder.build(new JcaContentSignerBuilder(SIGNATURE).build(issuer.getPrivate()))),
                    subject.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException | IOException failure) {
            throw new IllegalStateException("The certificate could not be made: " + failure.getMessage(), failure);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Each Java has the curve P-256.", impossible);
        }
    }

    private interface Extensions {
        void addTo(JcaX509v3CertificateBuilder builder) throws IOException, GeneralSecurityException;
    }
}

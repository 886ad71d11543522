package dev.millrace.scheduler.secret.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A server that answers as Vault's HTTP API does, as far as the scheduler uses it: key-value engine version 2 at {@code
 * secret}, transit engine at {@code transit} with keys of the type aes256-gcm96.
 */
final class SmallVault implements AutoCloseable {
    static final String TOKEN = "hvs.token-of-the-test";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int GCM_TAG_BITS = 128;

    private final HttpServer server;
    private final Map<String, Map<String, Object>> entries = new ConcurrentHashMap<>();
    private final Map<String, byte[]> keys = new ConcurrentHashMap<>();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicInteger failing = new AtomicInteger();

    SmallVault() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/", this::serve);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Writes an entry of the key-value engine. */
    void put(String path, Map<String, Object> fields) {
        entries.put(path, fields);
    }

    void addKey(String name) {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        keys.put(name, key);
    }

    /** Answers all requests with this status, such as 503 while Vault is sealed; 0 for none. */
    void fail(int status) {
        failing.set(status);
    }

    long reads() {
        return reads.get();
    }

    private void serve(HttpExchange call) throws IOException {
        try (call) {
            String path = call.getRequestURI().getPath().substring("/v1/".length());
            if (failing.get() != 0) {
                answer(call, failing.get(), Map.of("errors", new String[] {"Vault is sealed"}));
            } else if (!TOKEN.equals(call.getRequestHeaders().getFirst("X-Vault-Token"))) {
                answer(call, 403, Map.of("errors", new String[] {"permission denied"}));
            } else if (path.startsWith("secret/data/")) {
                read(call, path.substring("secret/data/".length()));
            } else if (path.startsWith("transit/")) {
                transit(call, path.split("/"));
            } else {
                answer(call, 404, Map.of("errors", new String[0]));
            }
        }
    }

    private void read(HttpExchange call, String path) throws IOException {
        reads.incrementAndGet();
        Map<String, Object> entry = entries.get(path);
        if (entry == null) {
            answer(call, 404, Map.of("errors", new String[0]));
        } else {
            answer(call, 200, Map.of("data", Map.of("data", entry, "metadata", Map.of("version", 1))));
        }
    }

    private void transit(HttpExchange call, String[] path) throws IOException {
        JsonNode request = JSON.readTree(call.getRequestBody());
        byte[] key = keys.get(path[2]);
        if (key == null) {
            answer(call, 400, Map.of("errors", new String[] {"encryption key not found"}));
            return;
        }
        byte[] place = Base64.getDecoder().decode(request.get("associated_data").textValue());
        try {
            if (path[1].equals("encrypt")) {
                byte[] sealed = encrypt(
                        key, Base64.getDecoder().decode(request.get("plaintext").textValue()), place);
                String text = "vault:v1:" + Base64.getEncoder().encodeToString(sealed);
                answer(call, 200, Map.of("data", Map.of("ciphertext", text, "key_version", 1)));
            } else {
                String text = request.get("ciphertext").textValue().substring("vault:v1:".length());
                byte[] opened = decrypt(key, Base64.getDecoder().decode(text), place);
                answer(
                        call,
                        200,
                        Map.of("data", Map.of("plaintext", Base64.getEncoder().encodeToString(opened))));
            }
        } catch (GeneralSecurityException wrong) {
            answer(call, 400, Map.of("errors", new String[] {"cipher: message authentication failed"}));
        }
    }

    private static byte[] encrypt(byte[] key, byte[] plaintext, byte[] place) throws GeneralSecurityException {
        byte[] iv = new byte[12];
        new SecureRandom().nextBytes(iv);
        byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, iv, place).doFinal(plaintext);
        byte[] both = new byte[iv.length + sealed.length];
        System.arraycopy(iv, 0, both, 0, iv.length);
        System.arraycopy(sealed, 0, both, iv.length, sealed.length);
        return both;
    }

    private static byte[] decrypt(byte[] key, byte[] both, byte[] place) throws GeneralSecurityException {
        byte[] iv = Arrays.copyOf(both, 12);
        return cipher(Cipher.DECRYPT_MODE, key, iv, place).doFinal(both, iv.length, both.length - iv.length);
    }

    private static Cipher cipher(int mode, byte[] key, byte[] iv, byte[] place) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(GCM_TAG_BITS, iv));
        cipher.updateAAD(place);
        return cipher;
    }

    private static void answer(HttpExchange call, int status, Object body) throws IOException {
        byte[] bytes = JSON.writeValueAsString(body).getBytes(UTF_8);
        call.sendResponseHeaders(status, bytes.length);
        call.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

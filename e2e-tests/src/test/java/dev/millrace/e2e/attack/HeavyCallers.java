package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/** Many callers who make the same call again and again, on a few connections. */
final class HeavyCallers implements AutoCloseable {
    private static final long ATTACK_NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("millrace.test.attack-seconds", 2));
    private static final int CONNECTIONS = 4;
    private static final int CALLERS = 48;
    private static final int MESSAGE_BYTES_MAX = 64 << 20;
    private static final Metadata.Key<String> AUTHORIZATION = header("authorization");
    private static final Metadata.Key<String> GATEWAY = header("millrace-gateway-authorization");
    private static final Metadata.Key<String> ADDRESS = header("millrace-client-address");
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_LENGTH = 32;
    private static final RandomGenerator RANDOM = new SecureRandom();

    private final List<ManagedChannel> connections = new ArrayList<>();

    /** A call, which fails with {@link StatusRuntimeException} if it is refused. */
    interface Call {
        void make(Channel channel, long number) throws InterruptedException;
    }

    HeavyCallers(String scheduler) {
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(ManagedChannelBuilder.forTarget(scheduler)
                    .usePlaintext()
                    .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                    .build());
        }
    }

    /** Makes calls for the time of an attack. Returns how many ended in which way. */
    String attack(Call call) throws InterruptedException {
        long end = System.nanoTime() + ATTACK_NANOS;
        Map<Status.Code, LongAdder> ends = new ConcurrentSkipListMap<>();
        AtomicLong numbers = new AtomicLong();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            Channel channel = connections.get(caller % CONNECTIONS);
            callers.add(Thread.ofVirtual().start(() -> {
                while (System.nanoTime() < end) {
                    ends.computeIfAbsent(make(call, channel, numbers.incrementAndGet()), _ -> new LongAdder())
                            .increment();
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        return new TreeMap<>(ends).toString();
    }

    private static Status.Code make(Call call, Channel channel, long number) {
        try {
            call.make(channel, number);
            return Status.Code.OK;
        } catch (StatusRuntimeException refusal) {
            return refusal.getStatus().getCode();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Status.Code.CANCELLED;
        }
    }

    /** A channel whose calls show this token. */
    static Channel as(String token, Channel channel) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** A channel whose calls come through a gateway, which names the address of its own caller. */
    static Channel from(String gatewayToken, String address, Channel channel) {
        Metadata headers = new Metadata();
        headers.put(GATEWAY, "Bearer " + gatewayToken);
        headers.put(ADDRESS, address);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** A token that nobody has, with a right checksum. */
    static String wrongToken() {
        StringBuilder text = new StringBuilder("mru_");
        for (int index = 0; index < RANDOM_LENGTH; index++) {
            text.append(DIGITS.charAt(RANDOM.nextInt(DIGITS.length())));
        }
        CRC32 crc = new CRC32();
        crc.update(text.toString().getBytes(US_ASCII));
        StringBuilder checksum = new StringBuilder();
        for (long rest = crc.getValue(); checksum.length() < 6; rest /= DIGITS.length()) {
            checksum.append(DIGITS.charAt((int) (rest % DIGITS.length())));
        }
        return text.append(checksum.reverse()).toString();
    }

    private static Metadata.Key<String> header(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    @Override
    public void close() {
        connections.forEach(ManagedChannel::shutdownNow);
    }
}

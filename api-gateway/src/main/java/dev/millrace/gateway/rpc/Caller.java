package dev.millrace.gateway.rpc;

import dev.millrace.gateway.access.CallerOrigin;
import java.util.Optional;

/**
 * Who calls, as far as the scheduler's decisions depend on it: equal callers have equal rights.
 *
 * @param token the token that the request shows; absent if it shows none
 * @param origin whether the caller is on the machine of the gateway
 * @param address address of the caller
 */
public record Caller(Optional<String> token, CallerOrigin origin, String address) {
    @Override
    public String toString() {
        return "Caller[" + address + "]";
    }
}

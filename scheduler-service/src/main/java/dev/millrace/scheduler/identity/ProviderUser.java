package dev.millrace.scheduler.identity;

import java.util.List;

/**
 * A user as an identity provider tells at a login.
 *
 * @param subject the provider's lasting name of the user
 * @param name the name that the user gets here at the first login
 */
public record ProviderUser(String issuer, String subject, String name, List<String> groups) {
    public ProviderUser {
        groups = List.copyOf(groups);
    }
}

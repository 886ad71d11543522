package dev.millrace.scheduler.identity.login;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.net.URI;

/**
 * A login that has begun.
 *
 * @param redirectUri where the provider sends the browser back
 * @param returnTo where the browser goes afterwards
 */
record LoginAttempt(Nonce nonce, CodeVerifier verifier, URI redirectUri, String returnTo) {}

/**
 * Ways to get a token without one: by a login at an OpenID Connect provider, by approval of somebody who is logged in,
 * and in exchange for a JWT of a CI system.
 */
@NullMarked
package dev.millrace.scheduler.identity.login;

import org.jspecify.annotations.NullMarked;

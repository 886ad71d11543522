/** Logs people in by their browsers, programs by the approval of people, and jobs of CI systems by their JWTs. */
@NullMarked
package dev.millrace.gateway.login;

import org.jspecify.annotations.NullMarked;

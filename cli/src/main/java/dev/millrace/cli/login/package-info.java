/** Commands that get and give back the token of a person: login, logout, whoami. */
@NullMarked
package dev.millrace.cli.login;

import org.jspecify.annotations.NullMarked;

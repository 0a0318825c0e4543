//! A private authority, which signs certificates for TLS.

use std::{
    io,
    path::PathBuf,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// An authority with the certificates that it has signed: for a server on 127.0.0.1 and for a client.
#[derive(Debug)]
pub struct Authority(TempDir);

impl Authority {
    /// Makes the keys and certificates, with openssl.
    ///
    /// # Errors
    /// If openssl is not installed.
    pub fn new() -> io::Result<Self> {
        let authority = Self(tempfile::tempdir()?);
        authority.request("authority", &["-addext", "keyUsage=critical,keyCertSign"])?;
        let signed = ["-CA", "authority.pem", "-CAkey", "authority.key", "-addext"];
        let with = |more| [&signed[..], &["basicConstraints=critical,CA:FALSE", "-addext", more]].concat();
        authority.request("server", &with("subjectAltName=IP:127.0.0.1"))?;
        authority.request("client", &with("extendedKeyUsage=clientAuth"))?;
        Ok(authority)
    }

    /// `authority.pem`, `server.pem`, `server.key`, `client.pem` or `client.key`.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn request(&self, name: &str, more: &[&str]) -> io::Result<()> {
        let mut openssl = Command::new("openssl");
        openssl
            .args(["req", "-x509", "-days", "2", "-subj", &format!("/CN={name}"), "-nodes"])
            .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
            .args(["-out", &format!("{name}.pem"), "-keyout", &format!("{name}.key")])
            .args(more);
        let output = openssl.current_dir(&self.0).stdin(Stdio::null()).output().map_err(|error| {
            io::Error::new(error.kind(), format!("openssl cannot be run: {error} (apt-get install openssl)"))
        })?;
        let said = || String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(io::Error::other(said())) }
    }
}

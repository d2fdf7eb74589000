extension LeakCase {
  /// All cases.
  static var all: [LeakCase] { leaks + lookalikes }

  private static let leaks: [LeakCase] = [
    addressForm, albumScreen, alertSheet, auctionScreen, audioEngine, autocomplete, badgeView,
    bannerScreen, batteryPanel, breathingGuide, cartStore, chartView, chatRoom, checkInDesk,
    checkoutScreen, chessEngine, commentList, compareScreen, connectionPool, consentDialog,
    countdown, counterScreen, currentUser, detailScreen, downloadRow, draftEditor, drawingCanvas,
    eventLog, familyTree, filmSet, folderNode, galleryExport, gameScene, gateDisplay,
    greetingScreen, harborBoard, hotelSearch, imageCache, inboxScreen, invoiceScreen, jobMonitor,
    keyboardToolbar, keyStream, leaseHolder, likeButton, lineSubscriber, linkRouter, listModel,
    liveScore, liveStream, loadingScreen, loginScreen, mapScreen, mapTile, meditationScreen,
    metricsRecorder, mixerPanel, newsDesk, newsTicker, orderScreen, paymentSheet, photoUpload,
    pickerForm, pixelBuffer, playbackController, playerScreen, pluginHost, podcastDownload,
    pollingClient, positionReader, presenceList, priceTag, printerStatus, printPreview,
    profileBadge, profileModel, queryModel, quizScreen, quoteTicker, radioStation, ratesScreen,
    receiptScan, recordShelf, renderWorker, reportLoader, requestScope, retryBanner, routeFinder,
    routeScreen, scoreBoard, scoreTable, searchScreen, seatPlan, seatReservation, selectionModel,
    sensorPanel, sessionModel, settingsTable, sliderPanel, slideShow, statusItem, stockTicker,
    stopwatch, suggestions, syncScreen, tabBar, telemetryEvent, telemetryProbe,
    temperatureConverter, tenantRegistry, terminalResizer, themeModel, ticketWindow, tokenRequest,
    trackList, trainBoard, translationPane, uploadQueue, usageStatistics, visitLog, voiceMemo,
    voteCounter, walletPresenter, weatherMast, weatherRow, welcomeTour,
  ]

  private static let lookalikes: [LeakCase] = [
    avatarLoader, backgroundJob, backupJob, balanceDial, boundLabel, boundProperty, bridgedScreen,
    cityForm, clockFace, closingWindow, commandTable, compassReader, crashReporter, cursorModel,
    departureHall, disposingView, eggTimer, emptiedSet, ferryScreen, finishedWizard, forgottenPair,
    gridModel, heartbeatLogger, lateGuests, limitedAttempts, localeLabel, loginRequest,
    menuBarClock, mouseStream, nicknameField, orchestra, outlineNode, packetSubscriber, paletteView,
    panoramaView, passwordRequest, photoImport, presetPicker, racingDownload, readReceipt,
    receiptScreen, recordedStream, relayRace, releasedSink, rentalHolder, reusedCell, roundTimer,
    rowPresenter, searchDebouncer, seatMap, sharedLocation, signUpScreen, spellChecker, spellingJob,
    statusLight, subtitleTrack, sunDial, syncStatus, thumbnailCache, tipOfTheDay, toastView,
    trafficMeter, typingIndicator, uncheckedScreen, unownedScreen, videoController, visitorCounter,
    volumeModel, weakMap, weakScreen, windowTitle, wineList,
  ]
}
